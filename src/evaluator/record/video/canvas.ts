/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [number, number, number];

/** An opaque image: r, g, b of each pixel, row by row from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** An image to draw on; drawing is clipped to it. */
export class Canvas implements Pixels {
  readonly data: Uint8Array;

  constructor(
    readonly width: number,
    readonly height: number,
    data?: Uint8Array,
  ) {
    this.data = data ?? new Uint8Array(width * height * 3);
  }

  static copyOf({ width, height, data }: Pixels): Canvas {
    // `Buffer.slice` does not copy.
    return new Canvas(width, height, new Uint8Array(data));
  }

  fill([r, g, b]: Rgb): this {
    for (let i = 0; i < this.data.length; i += 3) this.data.set([r, g, b], i);
    return this;
  }

  paste(picture: Pixels, left: number, top: number): void {
    const wide = Math.min(picture.width, this.width - left);
    const high = Math.min(picture.height, this.height - top);
    for (let y = 0; y < high; y++) {
      const from = y * picture.width * 3;
      this.data.set(
        picture.data.subarray(from, from + wide * 3),
        ((top + y) * this.width + left) * 3,
      );
    }
  }

  /** Draws a disc with an antialiased edge. */
  disc(x: number, y: number, radius: number, color: Rgb): void {
    const reach = radius + 1;
    for (let row = Math.max(0, Math.floor(y - reach)); row < this.height && row <= y + reach; row++)
      for (
        let col = Math.max(0, Math.floor(x - reach));
        col < this.width && col <= x + reach;
        col++
      ) {
        const dx = col + 0.5 - x;
        const dy = row + 0.5 - y;
        const cover = Math.min(1, radius + 0.5 - Math.sqrt(dx * dx + dy * dy));
        if (cover > 0) this.#blend(col, row, color, cover);
      }
  }

  /** Draws a line with round caps. */
  line(from: readonly [number, number], to: readonly [number, number], width: number, color: Rgb) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const stamps = Math.max(1, Math.ceil(length));
    for (let i = 0; i <= stamps; i++) {
      const share = i / stamps;
      const x = from[0] + share * (to[0] - from[0]);
      const y = from[1] + share * (to[1] - from[1]);
      this.disc(x, y, width / 2, color);
    }
  }

  #blend(col: number, row: number, color: Rgb, cover: number): void {
    const at = (row * this.width + col) * 3;
    for (const [i, value] of color.entries()) {
      const before = this.data[at + i] ?? 0;
      this.data[at + i] = Math.round(before + cover * (value - before));
    }
  }
}

/** The next even number: video codecs require even widths and heights. */
export function even(value: number): number {
  return 2 * Math.ceil(value / 2);
}

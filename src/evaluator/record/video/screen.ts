import type { BaseEpisode } from "../../../core/episode/base.js";
import type { ColorImage } from "../../../core/interfaces/observation.js";
import { Canvas, even, type Pixels, type Rgb } from "./canvas.js";
import { instructionStrip, type Strip } from "./captions.js";
import { rasterise, scaledTo } from "./raster.js";

const BACKGROUND: Rgb = [22, 25, 29];
const GAP_PX = 2;
/** Limits of an image's size, so that several fit side by side and details stay visible. */
const TALLEST = 360;
const WIDEST = 640;
const LOWEST = 240;
/** Height of a map without camera images. */
export const MAP_ALONE_PX = 300;
/** Minimum width for the text. */
const NARROWEST = 320;
const FOOTER_PX = 36;

/**
 * The layout of a film's frames: instruction on top, images side by side, status strip below. All frames of a
 * film have one size with even width and height, as video codecs require.
 */
export class Screen {
  readonly width: number;
  readonly height: number;
  readonly #left: number;

  private constructor(
    private readonly base: Canvas,
    private readonly top: number,
    private readonly rowHeight: number,
    rowWidth: number,
  ) {
    this.width = base.width;
    this.height = base.height;
    this.#left = Math.floor((base.width - rowWidth) / 2);
  }

  /** @param row images of the size that the frames will have */
  static async open(episode: BaseEpisode, row: readonly Pixels[]): Promise<Screen> {
    const rowHeight = even(Math.max(2, ...row.map(({ height }) => height)));
    const rowWidth =
      row.reduce((sum, { width }) => sum + width, 0) + GAP_PX * Math.max(0, row.length - 1);
    const width = even(Math.max(NARROWEST, rowWidth));
    const header = instructionStrip(episode, width);
    const base = new Canvas(width, header.height + rowHeight + FOOTER_PX).fill(BACKGROUND);
    if (header.height > 0) base.paste(await rasterise(header.svg), 0, 0);
    return new Screen(base, header.height, rowHeight, rowWidth);
  }

  /** Returns new pixels that the caller may change. */
  async frame(row: readonly Pixels[], status: Strip): Promise<Pixels> {
    const canvas = Canvas.copyOf(this.base);
    let left = this.#left;
    for (const picture of row) {
      canvas.paste(picture, left, this.top + ((this.rowHeight - picture.height) >> 1));
      left += picture.width + GAP_PX;
    }
    canvas.paste(await rasterise(status.svg), 0, this.top + this.rowHeight);
    return canvas;
  }
}

/** Scales images to one height. */
export async function sameHeight(pictures: readonly ColorImage[]): Promise<Pixels[]> {
  const height = heightOf(pictures);
  return Promise.all(pictures.map((picture) => scaledTo(picture, height)));
}

export function heightOf(pictures: readonly ColorImage[]): number {
  const tallest = Math.max(LOWEST, ...pictures.map(({ height }) => height));
  const shapes = pictures.map(({ width, height }) => height / width);
  return even(Math.min(tallest, TALLEST, ...shapes.map((shape) => WIDEST * shape)));
}

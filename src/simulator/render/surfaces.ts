import type { RenderPart } from "./part.js";

/**
 * What colouring must know of each surface in the picture. Whatever varies across it is kept as value / depth,
 * which is linear on the screen: a x + b y + c at the centre of pixel (x, y). Depth times that is the value.
 */
export class Surfaces {
  /** Surfaces are numbered from 1. */
  count = 0;
  /** The part each belongs to. */
  readonly parts: (RenderPart | undefined)[] = [undefined];
  /** 1 where light or colour varies across the surface, 0 where its planes hold one colour. */
  smooth = new Uint8Array(1024);
  /** `STRIDE` numbers a surface, see the offsets below. */
  planes = new Float64Array(1024 * STRIDE);

  clear(): void {
    this.count = 0;
  }

  /** Makes room for one more, whose number it returns. It counts once `count` is raised to it. */
  next(part: RenderPart): number {
    const number = this.count + 1;
    if (number >= this.smooth.length) {
      const smooth = new Uint8Array(this.smooth.length * 2);
      smooth.set(this.smooth);
      this.smooth = smooth;
      const planes = new Float64Array(this.planes.length * 2);
      planes.set(this.planes);
      this.planes = planes;
    }
    this.parts[number] = part;
    return number;
  }
}

/** How 1 / depth grows to the right and downwards. */
export const W = 0;
/** Planes of the texture coordinates. */
export const U = 2;
export const V = 5;
/** Planes of red, green and blue; of a surface that is not smooth only their last number, the colour. */
export const RED = 8;
export const GREEN = 11;
export const BLUE = 14;
export const STRIDE = 17;

import type { RenderPart } from "./part.js";

/**
 * The shading data of each surface in the image. Every varying value is stored as value / depth, which is
 * linear on the screen: a x + b y + c at the centre of pixel (x, y). Multiplying by depth gives the value.
 */
export class Surfaces {
  /** Surfaces are numbered from 1. */
  count = 0;
  /** The part of each surface. */
  readonly parts: (RenderPart | undefined)[] = [undefined];
  /** 1 if light or colour varies across the surface, 0 if its planes hold one colour. */
  smooth = new Uint8Array(1024);
  /** `STRIDE` numbers per surface; see the offsets below. */
  planes = new Float64Array(1024 * STRIDE);

  clear(): void {
    this.count = 0;
  }

  /** Reserves one more surface and returns its number. It is valid once `count` is raised to it. */
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

/** Change of 1 / depth to the right and downwards. */
export const W = 0;
/** Planes of the texture coordinates. */
export const U = 2;
export const V = 5;
/** Planes of red, green and blue. Surfaces of one colour use only their last number. */
export const RED = 8;
export const GREEN = 11;
export const BLUE = 14;
export const STRIDE = 17;

/** The value at the centre of pixel (x, y) of a plane that starts at an index of `planes`. */
export function valueAt(planes: Float64Array, plane: number, x: number, y: number): number {
  return (
    (planes[plane] as number) * x +
    (planes[plane + 1] as number) * y +
    (planes[plane + 2] as number)
  );
}

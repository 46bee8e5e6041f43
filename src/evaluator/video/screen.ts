import type { BaseEpisode } from "../../core/episode/base.js";
import type { ColorImage } from "../../core/interfaces/observation.js";
import { Canvas, type Pixels, type Rgb } from "./canvas.js";
import { instructionStrip, type Strip } from "./captions.js";
import { rasterise, scaledTo } from "./raster.js";

const BACKGROUND: Rgb = [22, 25, 29];
const GAP_PX = 2;
/** Of the pictures: taller or wider ones would leave no room for what is beside them, lower ones show nothing. */
const TALLEST = 360;
const WIDEST = 640;
const LOWEST = 240;
/** Of a map that stands alone. */
export const MAP_ALONE_PX = 300;
/** Narrower, the words would not fit. */
const NARROWEST = 320;
const FOOTER_PX = 36;

/**
 * What a film's frames look like: the instruction above, pictures side by side, and a strip beneath that tells
 * how things stand. All frames of a film are of one size, and even, as video codecs want it.
 */
export class Screen {
  readonly width: number;
  readonly height: number;
  readonly #base: Canvas;
  readonly #top: number;
  readonly #rowHeight: number;
  readonly #left: number;

  private constructor(base: Canvas, top: number, rowHeight: number, rowWidth: number) {
    this.#base = base;
    this.width = base.width;
    this.height = base.height;
    this.#top = top;
    this.#rowHeight = rowHeight;
    this.#left = Math.floor((base.width - rowWidth) / 2);
  }

  /** @param row pictures like those that the frames will have */
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

  /** The pixels are the caller's own. */
  async frame(row: readonly Pixels[], status: Strip): Promise<Pixels> {
    const canvas = Canvas.copyOf(this.#base);
    let left = this.#left;
    for (const picture of row) {
      canvas.paste(picture, left, this.#top + ((this.#rowHeight - picture.height) >> 1));
      left += picture.width + GAP_PX;
    }
    canvas.paste(await rasterise(status.svg), 0, this.#top + this.#rowHeight);
    return canvas;
  }
}

/** Pictures of one height. */
export async function sameHeight(pictures: readonly ColorImage[]): Promise<Pixels[]> {
  const height = heightOf(pictures);
  return Promise.all(pictures.map((picture) => scaledTo(picture, height)));
}

export function heightOf(pictures: readonly ColorImage[]): number {
  const tallest = Math.max(LOWEST, ...pictures.map(({ height }) => height));
  const shapes = pictures.map(({ width, height }) => height / width);
  return even(Math.min(tallest, TALLEST, ...shapes.map((shape) => WIDEST * shape)));
}

function even(value: number): number {
  return 2 * Math.ceil(value / 2);
}

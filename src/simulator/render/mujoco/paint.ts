import { type Canvas, sum } from "./canvas.js";
import type { Fragments } from "./fragments.js";
import type { SampleBuffer } from "./sample-buffer.js";

/** Adds the colour of its fragment, under the first set of lights, to each sample. */
export function paint(canvas: Canvas, image: SampleBuffer, fragments: Fragments): void {
  const { owner, width, samples, bounds } = image;
  const { right } = bounds;
  for (let row = bounds.top; row <= bounds.bottom; row++) {
    let column = bounds.left;
    for (let at = (row * width + column) * samples; column <= right; ) {
      const sole = soleOwner(owner, at, samples);
      if (sole >= 0) {
        const last = endOfRun(owner, at, samples, column, right);
        const pixels = last - column + 1;
        if (sole > 0) {
          fragments.shade(sole, row, column, last);
          addRun(canvas, at, samples, fragments.colours, pixels);
        }
        column = last + 1;
        at += pixels * samples;
        continue;
      }
      let face = 0;
      for (const end = at + samples; at < end; at++) {
        const here = owner[at] as number;
        if (here === 0) continue;
        if (here !== face) fragments.shade(here, row, column, column);
        face = here;
        add(canvas, at, fragments.colours[0] as number);
      }
      column++;
    }
  }
}

/** Adds a colour to a sample. */
function add(canvas: Canvas, sample: number, colour: number): void {
  const under = canvas[sample] as number;
  canvas[sample] = under === 0 ? colour : sum(under, colour);
}

/** Adds the colours of a run of pixels to all their samples. */
function addRun(
  canvas: Canvas,
  first: number,
  samples: 1 | 4,
  colours: Canvas,
  pixels: number,
): void {
  for (let i = 0, at = first; i < pixels; i++, at += samples) {
    const colour = colours[i] as number;
    if (samples === 1) add(canvas, at, colour);
    else if (
      ((canvas[at] as number) |
        (canvas[at + 1] as number) |
        (canvas[at + 2] as number) |
        (canvas[at + 3] as number)) ===
      0
    ) {
      canvas[at] = colour;
      canvas[at + 1] = colour;
      canvas[at + 2] = colour;
      canvas[at + 3] = colour;
    } else for (let s = at; s < at + 4; s++) add(canvas, s, colour);
  }
}

/** The last column, up to `right`, of the run of pixels that show the face of the one at `at` in all their samples. */
export function endOfRun(
  owner: Int32Array,
  at: number,
  samples: 1 | 4,
  column: number,
  right: number,
): number {
  const face = owner[at] as number;
  let last = column;
  let next = at + samples;
  while (last < right && owner[next] === face && soleOwner(owner, next, samples) === face) {
    last++;
    next += samples;
  }
  return last;
}

/** The owner of all samples of a pixel, or -1 if they differ. */
export function soleOwner(owner: Int32Array, first: number, samples: 1 | 4): number {
  const face = owner[first] as number;
  if (samples === 1) return face;
  return owner[first + 1] === face && owner[first + 2] === face && owner[first + 3] === face
    ? face
    : -1;
}

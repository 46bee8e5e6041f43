import { describe, expect, it } from "vitest";
import { Random } from "../../../core/math/random.js";
import { depthSteps } from "./depth-tiles.js";
import { type Corners, SampleBuffer } from "./sample-buffer.js";
import { SUBPIXELS } from "./samples.js";

const WIDTH = 93;
const HEIGHT = 70;
const COUNT = 400;

/** Triangles of all sizes at few depths, so that many are coplanar, and a few that hide most of the others. */
function randomTriangles(seed: number): Corners {
  const random = new Random(seed);
  const [column, row, depth] = [0, 1, 2].map(() => new Float64Array(3 * COUNT)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let t = 0; t < COUNT; t++) {
    const size = t % 40 === 0 ? 2 * WIDTH : t % 3 === 0 ? 40 : 6;
    const [x, y] = [WIDTH * random.uniform(), HEIGHT * random.uniform()];
    const z = random.below(10) / 10;
    for (let v = 3 * t; v < 3 * t + 3; v++) {
      column[v] = Math.round((x + size * (2 * random.uniform() - 1)) * SUBPIXELS);
      row[v] = Math.round((y + size * (2 * random.uniform() - 1)) * SUBPIXELS);
      depth[v] = t % 2 === 0 ? z : z + 0.1 * random.uniform();
    }
  }
  return { column, row, depth };
}

function drawn(
  corners: Corners,
  samples: 1 | 4,
  { order, culls }: { order: readonly number[]; culls: boolean },
): Int32Array {
  const buffer = new SampleBuffer(samples);
  buffer.clear(WIDTH, HEIGHT);
  for (const [i, t] of order.entries()) {
    if (culls && i % 10 === 0) buffer.tiles.refresh(buffer, 0, WIDTH - 1, 0, HEIGHT - 1);
    buffer.fill(t + 1, corners, 3 * t, 3 * t + 1, 3 * t + 2);
  }
  return buffer.owner;
}

describe("SampleBuffer", () => {
  const order = Array.from({ length: COUNT }, (_, t) => t);
  const orders = { "in order": order, "in reverse": order.toReversed() };

  it.each([1, 4] as const)(
    "SampleBuffer shows the same triangles in any order, culled or not, with %d samples",
    (samples) => {
      for (const seed of [1, 2, 3]) {
        const corners = randomTriangles(seed);
        const expected = drawn(corners, samples, { order, culls: false });
        expect(new Set(expected).size).toBeGreaterThan(20);
        for (const [name, other] of Object.entries(orders)) {
          for (const culls of [false, true]) {
            const owner = drawn(corners, samples, { order: other, culls });
            expect(owner, `seed ${seed} ${name}, culls: ${culls}`).toEqual(expected);
          }
        }
      }
    },
  );

  it("SampleBuffer hides what is farther than all samples of its tiles, and nothing nearer", () => {
    const buffer = new SampleBuffer(4);
    buffer.clear(16, 16);
    const far = 64 * SUBPIXELS;
    const corners: Corners = {
      column: Float64Array.of(-far, 3 * far, -far),
      row: Float64Array.of(-far, -far, 3 * far),
      depth: Float64Array.of(0.5, 0.5, 0.5),
    };
    const hidden = (depth: number) => buffer.tiles.hides(depthSteps(depth), 0, 15, 0, 15, buffer);
    expect(hidden(0.1)).toBe(false);
    buffer.fill(1, corners, 0, 1, 2);
    expect(hidden(0.49)).toBe(true);
    expect(hidden(0.51)).toBe(false);
  });
});

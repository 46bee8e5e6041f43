import { depthAxis } from "./image-axis.js";

/** Errors of depth cameras grow with the distance, so the noise is a share of it. */
export const depthNoise = depthAxis({
  description: "depth images with Gaussian noise, independent in each pixel and step",
  parameter: "standard deviation of the noise, in parts of the depth",
  levels: [0.02, 0.05, 0.15],
  change: ({ data }, deviation, { fresh }) => {
    const random = fresh();
    return data.map((depth) => Math.max(0, depth * (1 + deviation * random.normal())));
  },
});

/** Side of a hole, in parts of the image's width. */
const HOLE = 1 / 32;

/** Square holes, which read 0 as where there is nothing. */
export const depthHoles = depthAxis({
  description: "depth images with holes, at other places in each step",
  parameter: "share of the image in holes",
  levels: [0.1, 0.3, 0.6],
  change: ({ width, height, data }, share, { fresh }) => {
    const random = fresh();
    const side = Math.max(1, Math.round(HOLE * width));
    const out = data.slice();
    for (let top = 0; top < height; top += side) {
      for (let left = 0; left < width; left += side) {
        if (random.uniform() >= share) continue;
        for (let y = top; y < Math.min(height, top + side); y++) {
          out.fill(0, y * width + left, y * width + Math.min(width, left + side));
        }
      }
    }
    return out;
  },
});

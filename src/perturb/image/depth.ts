import type { DepthImage } from "../../core/interfaces/observation.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import type { PerturbationAxis } from "../../core/perturbation/axis.js";
import { withImages } from "../observed-images.js";
import { missingCamera } from "../sensor-kind.js";

interface DepthAxis extends Pick<PerturbationAxis, "description" | "parameter" | "levels"> {
  /** Returns the depths of the changed image; must not write into those of the given one. */
  change(image: DepthImage, value: number, random: Random): Float32Array;
}

/** An axis that changes every depth image that the policy reads. */
function depthAxis({ change, ...axis }: DepthAxis): PerturbationAxis {
  return {
    ...axis,
    kind: "interface",
    unit: "",
    neutral: 0,
    isObserved: true,
    missing: (target) => missingCamera(target, "depth"),
    channel: ({ value, seed }) => {
      let step = 0;
      return {
        observe: (observation) => {
          const now = step++;
          return withImages(observation, "depth", (image, sensor) => {
            if (value === 0) return image;
            const random = new Random(hash53(`${seed}/${sensor}/${now}`));
            return { ...image, data: change(image, value, random) };
          });
        },
      };
    },
  };
}

/** Errors of depth cameras grow with the distance, so the noise is a share of it. */
export const depthNoise = depthAxis({
  description: "depth images with Gaussian noise, independent in each pixel and step",
  parameter: "standard deviation of the noise, in parts of the depth",
  levels: [0.02, 0.05, 0.15],
  change: ({ data }, deviation, random) =>
    data.map((depth) => Math.max(0, depth * (1 + deviation * random.normal()))),
});

/** Side of a hole, in parts of the image's width. */
const HOLE = 1 / 32;

/** Square holes, which read 0 as where there is nothing. */
export const depthHoles = depthAxis({
  description: "depth images with holes, at other places in each step",
  parameter: "share of the image in holes",
  levels: [0.1, 0.3, 0.6],
  change: ({ width, height, data }, share, random) => {
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

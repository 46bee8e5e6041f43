import type { ColorImage } from "../../core/interfaces/observation.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import type { PerturbationAxis } from "../../core/perturbation/axis.js";
import { withImages } from "../observed-images.js";
import { missingCamera } from "../sensor-kind.js";

/** Randomness of a changed image. */
interface ImageDraw {
  /** The same in all images of the sensor in this episode. */
  fixed(): Random;
  /** Another one for each image. */
  fresh(): Random;
}

interface ImageAxis
  extends Pick<PerturbationAxis, "description" | "parameter" | "levels">,
    Partial<Pick<PerturbationAxis, "unit" | "neutral">> {
  /** Returns the pixels of the changed image; must not write into those of the given one. */
  change(image: ColorImage, value: number, draw: ImageDraw): Uint8Array;
}

/** An axis that changes every colour image that the policy reads. */
export function imageAxis({
  change,
  unit = "",
  neutral = 0,
  ...axis
}: ImageAxis): PerturbationAxis {
  return {
    ...axis,
    kind: "interface",
    unit,
    neutral,
    isObserved: true,
    missing: (target) => missingCamera(target, "rgb"),
    channel: ({ value, seed }) => {
      let step = 0;
      return {
        observe: (observation) => {
          const now = step++;
          return withImages(observation, "rgb", (image, sensor) => {
            if (value === neutral) return image;
            const fixed = () => new Random(hash53(`${seed}/${sensor}`));
            const fresh = () => new Random(hash53(`${seed}/${sensor}/${now}`));
            return { ...image, data: change(image, value, { fixed, fresh }) };
          });
        },
      };
    },
  };
}

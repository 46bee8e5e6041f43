import type { Image } from "../../core/interfaces/observation.js";
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

type ImageKind = Exclude<Image["kind"], "semantic">;
type ImageOf<K extends ImageKind> = Extract<Image, { readonly kind: K }>;

interface ImageAxis<K extends ImageKind>
  extends Pick<PerturbationAxis, "description" | "parameter" | "levels">,
    Partial<Pick<PerturbationAxis, "unit" | "neutral">> {
  /** Returns the data of the changed image; must not write into those of the given one. */
  change(image: ImageOf<K>, value: number, draw: ImageDraw): ImageOf<K>["data"];
}

/** An axis that changes every image of one kind that the policy reads. */
function axisOf<K extends ImageKind>(
  kind: K,
  { change, unit = "", neutral = 0, ...axis }: ImageAxis<K>,
): PerturbationAxis {
  return {
    ...axis,
    kind: "interface",
    unit,
    neutral,
    isObserved: true,
    missing: (target) => missingCamera(target, kind),
    channel: ({ value, seed }) => {
      let step = 0;
      return {
        observe: (observation) => {
          const now = step++;
          return withImages(observation, kind, (image, sensor) => {
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

export const imageAxis = (axis: ImageAxis<"rgb">): PerturbationAxis => axisOf("rgb", axis);

export const depthAxis = (axis: ImageAxis<"depth">): PerturbationAxis => axisOf("depth", axis);

import type { Vec3 } from "../../../../core/math/vec3.js";
import type { ObjectShape } from "../../world/world.js";
import type { Rgb, Shape, ShapePart } from "../shape.js";

/** One thing of the catalogue: a certain mug. */
export interface CatalogueModel {
  /** `<category>/<number>`: `mug/3` */
  readonly name: string;
  readonly category: string;
  /** The word for its main colour, and the colour; no two models of a category have the same. */
  readonly colorName: string;
  readonly rgb: Rgb;
  readonly massKg: number;
  /** Sliding friction of its material against most others. */
  readonly friction: number;
  readonly grasp: Grasp;
  /** The most similar of the shapes with a free size. */
  readonly like: ObjectShape;
  readonly shape: Shape;
}

/** How two fingers hold a model. In its own axes, relative to the centre of its bounding box. */
export interface Grasp {
  /** `sides`: the fingers close around all of it. `rim`: one finger is inside of it, one outside. */
  readonly kind: "sides" | "rim";
  /** The point between the fingers; of a rim the point at yaw 0, about the model's middle. */
  readonly at: Vec3;
  /** What the fingers close on. */
  readonly widthM: number;
  /** Directions in which the fingers may close, as yaw of the line between them; absent if all are the same. */
  readonly closingYawsRad?: readonly number[];
}

/** What a maker of a category describes, with z = 0 at the bottom and x = y = 0 in the middle of its body. */
export interface Made {
  readonly color: string;
  readonly massKg: number;
  /** The bounding box of what can be touched. */
  readonly min: Vec3;
  readonly max: Vec3;
  readonly parts: readonly ShapePart[];
  readonly grasp: Grasp;
}

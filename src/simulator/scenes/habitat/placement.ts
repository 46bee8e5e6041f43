import { show } from "../../../core/errors.js";
import { boundsOf } from "../geometry.js";
import { compose, multiply, type Transform } from "../gltf/transform.js";
import type { ScenePart } from "../model.js";
import { axesOf, toHabitat } from "../orientation.js";
import { type Attributes, badConfig, numberOf, numbersOf, textOf } from "./config-file.js";
import type { Template } from "./dataset.js";
import { hasAxes, readAxes, scaleOf, unitsOf } from "./stage-config.js";

/** The position and rotation of an instance, without its scale. */
export function poseOf(instance: Attributes, file: string): Transform {
  // Habitat stores rotations with w first.
  const [w = 1, x = 0, y = 0, z = 0] = numbersOf(instance, "rotation", 4, file) ?? [];
  const length = Math.hypot(w, x, y, z);
  if (!(length > 1e-6)) {
    throw badConfig(file, `\`rotation\` must not be all 0; received ${show(instance.rotation)}`);
  }
  const unit = [x / length, y / length, z / length, w / length];
  return compose(numbersOf(instance, "translation", 3, file), unit);
}

/** The scale of an instance: `uniform_scale` and `non_uniform_scale` multiply. */
export function instanceScale(instance: Attributes, file: string): readonly number[] {
  const even = numberOf(instance, "uniform_scale", file) ?? 1;
  const uneven = numbersOf(instance, "non_uniform_scale", 3, file) ?? [1, 1, 1];
  return uneven.map((factor) => factor * even);
}

/**
 * The transform from an object's file to the scene. The template's axes are turned to Habitat's, then scaled.
 * An instance's translation refers to the asset's own origin or, by Habitat's default, to the centre of mass:
 * the template's `COM`, else the centre of its bounding box.
 */
export function placeObject(
  { attributes, file }: Template,
  instance: Attributes,
  { parts, origin, where }: { parts: readonly ScenePart[]; origin: string; where: string },
): Transform {
  const units = unitsOf(attributes, file);
  const own = instanceScale(instance, where);
  const scale = scaleOf(attributes, file).map((factor, i) => factor * units * (own[i] ?? 1));
  const rotation = hasAxes(attributes)
    ? toHabitat(axesOf(readAxes(attributes, file)).axes)
    : undefined;
  const sized = compose([], [], scale);
  const shape = rotation ? multiply(sized, rotation) : sized;
  const pose = poseOf(instance, where);
  if (origin === "asset_local") return multiply(pose, shape);
  const given = numbersOf(attributes, "COM", 3, file);
  const centre = given
    ? given.map((value, i) => value * (scale[i] ?? 1))
    : centreOf(parts.map((part) => transformed(part, shape)));
  return multiply(pose, multiply(compose(centre.map((value) => 0 - value)), shape));
}

/** `translation_origin` of an instance, else of its scene, else Habitat's default. */
export function originOf(instance: Attributes, scene: Attributes, file: string): string {
  const origin =
    textOf(instance, "translation_origin", file) ?? textOf(scene, "translation_origin", file);
  const word = (origin ?? "com").toLowerCase();
  if (word === "com" || word === "asset_local") return word;
  throw badConfig(
    file,
    `\`translation_origin\` must be COM or asset_local; received ${show(origin)}`,
  );
}

function transformed(part: ScenePart, by: Transform): ScenePart {
  return { ...part, transform: part.transform ? multiply(by, part.transform) : by };
}

function centreOf(parts: readonly ScenePart[]): number[] {
  const { min, max } = boundsOf(parts);
  return min.map((low, i) => (low + (max[i] as number)) / 2);
}

import { dirname, resolve } from "node:path";
import { show } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { turn } from "../draft.js";
import { compose, multiply } from "../gltf/transform.js";
import type { Material, ScenePart } from "../model.js";
import { readSceneFile } from "../scene-file.js";
import type { Assets } from "./assets.js";
import { type Attributes, badConfig, numberOf } from "./config-file.js";
import type { SceneDataset, Template } from "./dataset.js";
import { linkMesh } from "./link-shape.js";
import { poseOf } from "./placement.js";
import { readUrdf, type UrdfVisual } from "./urdf.js";

/**
 * The parts of an articulated object (URDF) at its initial joint pose. They do not move: the navmesh
 * simulator has no physics, so a door stays as the scene has it.
 */
export async function readArticulatedObject(
  template: Template,
  instance: Attributes,
  { dataset, assets, where }: { dataset: SceneDataset; assets: Assets; where: string },
): Promise<{ parts: ScenePart[]; files: string[]; warnings: string[] }> {
  const urdf =
    (await dataset.path(template, "urdf_filepath")) ??
    template.file.replace(/\.ao_config\.json$/, ".urdf");
  const text = new TextDecoder().decode(await readSceneFile(urdf));
  const scale =
    (numberOf(template.attributes, "uniform_scale", template.file) ?? 1) *
    (numberOf(instance, "uniform_scale", where) ?? 1);
  const base = multiply(poseOf(instance, where), compose([], [], [scale, scale, scale]));
  const warnings: string[] = [];
  const skin = await dataset.path(template, "render_asset");
  if (skin !== undefined && template.attributes.render_mode !== "link_visuals") {
    warnings.push(
      "a skinned articulated object is shown in the pose of its file, not of its joints",
    );
    const { parts } = await assets.get(skin);
    return { parts: parts.map((part) => turn(part, base)), files: [urdf], warnings };
  }
  const parts: ScenePart[] = [];
  for (const visual of readUrdf(text, urdf, poseIn(instance, where))) {
    if (visual.shape.kind === "mesh" && /\.dae$/i.test(visual.shape.file)) {
      warnings.push("meshes in COLLADA (.dae) are ignored");
      continue;
    }
    for (const part of await partsOf(visual, urdf, dataset, assets)) {
      parts.push(turn(turn(part, visual.transform), base));
    }
  }
  return { parts, files: [urdf], warnings };
}

async function partsOf(
  { shape, color }: UrdfVisual,
  urdf: string,
  dataset: SceneDataset,
  assets: Assets,
): Promise<readonly ScenePart[]> {
  if (shape.kind === "mesh") {
    const name = shape.file.replace(/^(file|package):\/\//, "");
    const path = dataset.inside(resolve(dirname(urdf), name), shape.file, urdf);
    const { parts } = await assets.get(path);
    const scale = compose([], [], shape.scale);
    // The colour of a link holds for meshes that have none of their own.
    const paint = color && path.toLowerCase().endsWith(".stl") ? materialOf(color) : undefined;
    return parts.map((part) => ({ ...turn(part, scale), ...(paint && { material: paint }) }));
  }
  return [{ mesh: linkMesh(shape), material: materialOf(color), instance: 0 }];
}

function materialOf([r = 0.7, g = 0.7, b = 0.7, a = 1]: readonly number[] = []): Material {
  return { name: "link", color: [r, g, b, a] };
}

/** `initial_joint_pose`: positions by joint name, or of all joints in order. */
function poseIn(instance: Attributes, file: string): Record<string, number> | number[] {
  const pose = instance.initial_joint_pose;
  const isNumber = (value: unknown): value is number =>
    typeof value === "number" && Number.isFinite(value);
  if (pose === undefined) return {};
  if (Array.isArray(pose) && pose.every(isNumber)) return pose;
  if (isRecord(pose)) {
    const list = Object.entries(pose).filter((one): one is [string, number] => isNumber(one[1]));
    if (list.length === Object.keys(pose).length) return Object.fromEntries(list);
  }
  throw badConfig(file, `\`initial_joint_pose\` must contain numbers; received ${show(pose)}`);
}

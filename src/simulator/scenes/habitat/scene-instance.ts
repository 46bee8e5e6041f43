import { dirname } from "node:path";
import { DataError, errorMessage, show } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { type DraftInstance, type SceneDraft, turn } from "../draft.js";
import { boundsOf } from "../geometry.js";
import { readGltf } from "../gltf/gltf.js";
import { compose, multiply, type Transform } from "../gltf/transform.js";
import type { ScenePart } from "../model.js";
import { orient, toHabitat } from "../orientation.js";
import { readSceneFile } from "../scene-file.js";
import { TextureBudget } from "../texture-budget.js";
import { objectCategories } from "./object-categories.js";
import { findTemplate, type Template } from "./scene-template.js";

/**
 * Reads Habitat's `<name>.scene_instance.json`: a stage and the objects placed in it, each in its own GLB, as
 * in HSSD and ReplicaCAD. Articulated objects and lights are ignored; the former with a warning.
 */
export async function readSceneInstance(
  file: string,
  textures = new TextureBudget({}),
): Promise<SceneDraft> {
  const json = await parse(file);
  const root = dirname(dirname(file));
  const warnings = new Map<string, number>();
  const files = new Set([file]);
  const categories = await objectCategories(root);
  const guides = new Set(categories.files);

  const stageName = templateName(json.stage_instance, file);
  const stage = await findTemplate(root, stageName, "stage");
  if (stage === undefined) {
    throw new DataError("missing_stage", `the scene's stage ${show(stageName)} does not exist`, {
      where: file,
      hint: `searched below ${root}: ${stageName}.glb, stages/, configs/stages/`,
    });
  }
  const shapes = new Map<string, SceneDraft>();
  const shell = await shape(stage);
  const about = { id: file, file: stage.glb, bounds: boundsOf(shell.parts) };
  const { axes, config } = await orient(about, undefined);
  if (config !== undefined) guides.add(config);
  const rotation = toHabitat(axes);
  const parts: ScenePart[] = shell.parts.map((part) => place(part, rotation, 0));
  const instances: DraftInstance[] = [{ name: "building", category: "unknown" }];

  const objects = Array.isArray(json.object_instances) ? json.object_instances : [];
  for (const object of objects as unknown[]) {
    const name = templateName(object, file);
    const found = await findTemplate(root, name, "object");
    if (found === undefined) {
      warn(`the object ${name} does not exist`);
      continue;
    }
    const { parts: own } = await shape(found);
    const where = placement(object, json.translation_origin, own);
    const category = categories.of(name);
    const index = instances.push({ name: category, category }) - 1;
    for (const part of own) parts.push(place(part, where, index));
  }
  const jointed = json.articulated_object_instances;
  if (Array.isArray(jointed) && jointed.length > 0) {
    warn(`${jointed.length} articulated objects (URDF) are ignored`);
  }
  return {
    parts,
    instances,
    hasBuilding: true,
    isUpright: true,
    warnings: [...warnings].map(([text, n]) => (n > 1 ? `${text} (${n} times)` : text)),
    files: [...files],
    guides: [...guides],
  };

  function warn(text: string): void {
    warnings.set(text, (warnings.get(text) ?? 0) + 1);
  }

  /** Reads each GLB once, even if it is placed several times. */
  async function shape({ glb: path, config }: Template): Promise<SceneDraft> {
    if (config !== undefined) guides.add(config);
    const known = shapes.get(path);
    if (known) return known;
    const draft = await readGltf(path, textures);
    for (const text of draft.warnings) warn(text);
    for (const read of draft.files) files.add(read);
    shapes.set(path, draft);
    return draft;
  }
}

function place(part: ScenePart, where: Transform | undefined, instance: number): ScenePart {
  return { ...(where ? turn(part, where) : part), instance };
}

/**
 * The pose of an object. Its translation refers to the object's own origin or, by Habitat's default, to the
 * centre of its bounding box.
 */
function placement(object: unknown, sceneOrigin: unknown, parts: readonly ScenePart[]): Transform {
  const fields = isRecord(object) ? object : {};
  // Habitat stores rotations with w first.
  const [w = 1, x = 0, y = 0, z = 0] = numbers(fields.rotation);
  const even = typeof fields.uniform_scale === "number" ? fields.uniform_scale : 1;
  const [sx = 1, sy = 1, sz = 1] = numbers(fields.non_uniform_scale);
  const scale = [sx * even, sy * even, sz * even];
  const placed = compose(numbers(fields.translation), [x, y, z, w], scale);
  const origin = String(fields.translation_origin ?? sceneOrigin ?? "com").toLowerCase();
  if (origin === "asset_local") return placed;
  const { min, max } = boundsOf(parts);
  return multiply(placed, compose(min.map((low, i) => -(low + (max[i] as number)) / 2)));
}

function numbers(value: unknown): number[] {
  if (!Array.isArray(value)) return [];
  return value.every((n) => Number.isFinite(n)) ? value.map(Number) : [];
}

function templateName(instance: unknown, file: string): string {
  const name = isRecord(instance) ? instance.template_name : undefined;
  if (typeof name === "string" && name !== "") return name;
  throw badInstance(file, `an instance has no \`template_name\`: ${show(instance)}`);
}

async function parse(file: string): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readSceneFile(file);
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isRecord(json) && isRecord(json.stage_instance)) return json;
  } catch (error) {
    throw badInstance(file, `its JSON is invalid: ${errorMessage(error)}`);
  }
  throw badInstance(file, "it has no `stage_instance`");
}

function badInstance(file: string, why: string): DataError {
  return new DataError("bad_scene_instance", `not a readable scene instance: ${why}`, {
    where: file,
    hint: "use Habitat's format with stage_instance and object_instances",
  });
}

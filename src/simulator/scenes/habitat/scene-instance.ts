import { DataError, show } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { type DraftInstance, type SceneAxes, type SceneDraft, turn, unlit } from "../draft.js";
import type { Transform } from "../gltf/transform.js";
import type { ScenePart } from "../model.js";
import { orientStage, sceneAxes } from "../orientation.js";
import { readSceneFile } from "../scene-file.js";
import { TextureBudget } from "../texture-budget.js";
import { readArticulatedObject } from "./articulated-object.js";
import { Assets } from "./assets.js";
import { type Attributes, badConfig, readConfig } from "./config-file.js";
import type { Section, Template } from "./dataset.js";
import { datasetOf } from "./find-dataset.js";
import { objectCategories } from "./object-categories.js";
import { instanceScale, originOf, placeObject, poseOf } from "./placement.js";
import { instancesInRooms, readRegions } from "./regions.js";
import { findStageConfig, stageConfigOf, unitsOf, unitsWarning } from "./stage-config.js";

/** Fields of a template whose values change an object's shape, beyond the asset itself. */
const SHAPING = ["scale", "units_to_meters", "up", "front", "COM", "uniform_scale"];

/**
 * Reads Habitat's `<name>.scene_instance.json`: a stage, the objects placed in it and the articulated objects
 * at their initial joint pose, as in HSSD and ReplicaCAD. Lights are ignored.
 */
export async function readSceneInstance(
  file: string,
  textures = new TextureBudget({}),
): Promise<SceneDraft> {
  const json = await parse(file);
  const dataset = await datasetOf(file);
  const scene: Attributes = { ...dataset.defaults("scene_instances"), ...json };
  const warnings = new Map<string, number>();
  const assets = new Assets(textures, warn);
  const files = new Set([file]);
  const categories = await objectCategories(dataset, scene);
  const guides = new Set([...categories.files, ...(dataset.config ? [dataset.config] : [])]);

  let orientation: SceneAxes | undefined;
  let stageFile: SceneDraft["stage"];
  const stage = await readStage();
  const parts: ScenePart[] = [...stage];
  const instances: DraftInstance[] = [{ name: "building", category: "unknown" }];

  for (const object of listOf(scene, "object_instances", file)) {
    const found = await template("objects", object);
    if (!found || object.is_instance_visible === false) continue;
    const asset = await assetOf(found);
    if (asset === undefined) continue;
    const { parts: own } = await assets.get(asset);
    const origin = originOf(object, scene, file);
    add(found, own, placeObject(found, object, { parts: own, origin, where: file }));
  }
  for (const object of listOf(scene, "articulated_object_instances", file)) {
    const found = await template("articulated_objects", object);
    if (!found) continue;
    const read = await readArticulatedObject(found, object, { dataset, assets, where: file });
    for (const text of read.warnings) warn(text);
    for (const urdf of read.files) files.add(urdf);
    add(found, read.parts, undefined);
  }
  const lights = typeof scene.default_lighting === "string" ? scene.default_lighting : "";
  if (lights !== "" && lights !== "no_lights") {
    warn(`the lights ${show(lights)} are ignored: all scenes have the same light`);
  }
  const regions = await readRegions(dataset, scene, file);
  for (const one of regions.files) guides.add(one);
  for (const text of dataset.warnings) warn(text);
  for (const read of assets.files) files.add(read);
  const draft: SceneDraft = {
    parts,
    instances: instancesInRooms(instances, parts, regions.rooms),
    rooms: regions.rooms,
    hasBuilding: true,
    isUpright: true,
    ...(orientation && { orientation }),
    ...(stageFile && { stage: stageFile }),
    warnings: [...warnings].map(([text, n]) => (n > 1 ? `${text} (${n} times)` : text)),
    files: [...files],
    guides: [...guides].filter((guide) => !files.has(guide)),
  };
  return lights === "no_lights" ? unlit(draft) : draft;

  function warn(text: string): void {
    warnings.set(text, (warnings.get(text) ?? 0) + 1);
  }

  function add(found: Template, own: readonly ScenePart[], where: Transform | undefined): void {
    const category = categories.of(found);
    const index = instances.push({ name: category, category }) - 1;
    for (const part of own) parts.push({ ...(where ? turn(part, where) : part), instance: index });
  }

  /** Configurations that change a shape are part of the scene; others only help to find it. */
  function note({ configs, attributes }: Template): void {
    const shapes = SHAPING.some((key) => attributes[key] !== undefined);
    for (const config of configs) (shapes ? files : guides).add(config);
  }

  async function readStage(): Promise<ScenePart[]> {
    const instance = isRecord(scene.stage_instance) ? scene.stage_instance : {};
    const name = templateName(instance, file);
    // Habitat's name for a scene without a stage.
    if (name === "NONE") return [];
    const found = await dataset.find("stages", name);
    const asset = found && (await dataset.path(found, "render_asset"));
    if (!found || asset === undefined) {
      throw new DataError("missing_stage", `the scene's stage ${show(name)} does not exist`, {
        where: file,
        hint: await dataset.nearest("stages", name),
      });
    }
    for (const config of found.configs) guides.add(config);
    const shell = await assets.get(asset);
    const config =
      found.configs.length > 0 || dataset.config
        ? stageConfigOf([found])
        : await findStageConfig(asset);
    const scale = instanceScale(instance, file);
    const oriented = orientStage({ id: file, file: asset }, config, scale);
    const { transform, warnings: notes } = oriented;
    orientation = sceneAxes(oriented);
    stageFile = { file: asset, transform };
    for (const text of [...notes, ...config.warnings]) warn(text);
    if (config.scale.some((factor) => factor !== 1)) for (const one of config.files) files.add(one);
    if (["translation", "rotation"].some((key) => instance[key] !== undefined)) {
      const moved = poseOf(instance, file).some(
        (value, i) => Math.abs(value - (i % 5 === 0 ? 1 : 0)) > 1e-6,
      );
      if (moved) warn("the stage's translation and rotation are ignored, as in habitat-sim");
    }
    const own = config.isFlat ? unlit(shell) : shell;
    return own.parts.map((part) => ({
      ...(transform ? turn(part, transform) : part),
      instance: 0,
    }));
  }

  async function template(section: Section, instance: Attributes): Promise<Template | undefined> {
    const name = templateName(instance, file);
    const found = await dataset.find(section, name);
    if (!found) {
      const near = await dataset.nearest(section, name);
      const hint = near.startsWith("did you mean")
        ? `; ${near.slice(0, near.indexOf("?") + 1)}`
        : "";
      const noun = section === "objects" ? "object" : "articulated object";
      warn(`the ${noun} ${name} does not exist${hint}`);
      return undefined;
    }
    note(found);
    const units = unitsOf(found.attributes, found.file);
    if (units !== 1) warn(unitsWarning(units));
    return found;
  }

  async function assetOf(found: Template): Promise<string | undefined> {
    const asset = await dataset.path(found, "render_asset");
    if (asset !== undefined && /\.\w+$/.test(asset)) return asset;
    const why = asset === undefined ? "has no render_asset" : "is one of Habitat's primitives";
    warn(`the object ${found.handle} ${why} and is ignored`);
    return undefined;
  }
}

function listOf(scene: Attributes, key: string, file: string): Attributes[] {
  const list = scene[key];
  if (list === undefined) return [];
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw badConfig(file, `\`${key}\` must be a list of objects; received ${show(list)}`);
}

function templateName(instance: Attributes, file: string): string {
  const name = instance.template_name;
  if (typeof name === "string" && name !== "") return name;
  throw badInstance(file, `an instance has no \`template_name\`: ${show(instance)}`);
}

async function parse(file: string): Promise<Attributes> {
  // Reports a missing file as a missing scene.
  await readSceneFile(file);
  const json = (await readConfig(file)) ?? {};
  if (isRecord(json.stage_instance)) return json;
  throw badInstance(file, "it has no `stage_instance`");
}

function badInstance(file: string, why: string): DataError {
  return new DataError("bad_scene_instance", `not a readable scene instance: ${why}`, {
    where: file,
    hint: "use Habitat's format with stage_instance and object_instances",
  });
}

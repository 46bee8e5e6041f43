import { basename, dirname, join } from "node:path";
import { DataError, show } from "../../../core/errors.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { isRecord } from "../../../core/record.js";
import { type Attributes, numberOf, numbersOf, readConfig } from "./config-file.js";
import { datasetConfigs } from "./find-dataset.js";

/** The axes of a file that point up and ahead. */
export interface Axes {
  readonly up: Vec3;
  readonly front: Vec3;
}

/** What Habitat's configurations say about a stage. */
export interface StageConfig {
  readonly axes: Partial<Axes>;
  /** The configuration that gives the axes. */
  readonly axesFrom?: string;
  /** Scale of the stage in Habitat's axes, units of length included. */
  readonly scale: Vec3;
  /** The stage is drawn without lights. */
  readonly isFlat: boolean;
  /** The configurations that determine the stage's shape. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/** A configuration and the attributes that it gives to a stage. */
interface Source {
  readonly file: string;
  readonly attributes: Attributes;
}

const NO_SCALE: Vec3 = [1, 1, 1];

/**
 * What the configurations next to a scene file say about it: `<name>.stage_config.json`, and the
 * `stages.default_attributes` of a `*.scene_dataset_config.json` next to it or above it.
 */
export async function findStageConfig(sceneFile: string): Promise<StageConfig> {
  return stageConfigOf(await stageSources(sceneFile));
}

/** The configurations that hold for a scene file, the one with precedence first. */
export async function stageSources(sceneFile: string): Promise<Source[]> {
  return [...(await ownConfigs(sceneFile)), ...(await defaultsOf(sceneFile))];
}

/** The same of a stage whose attributes are already merged. */
export function stageConfigOf(sources: readonly Source[]): StageConfig {
  const withAxes = sources.find(({ attributes }) => hasAxes(attributes));
  const withScale = sources.find(({ attributes }) => "scale" in attributes);
  const withUnits = sources.find(({ attributes }) => "units_to_meters" in attributes);
  const scale = withScale ? scaleOf(withScale.attributes, withScale.file) : NO_SCALE;
  const units = withUnits ? unitsOf(withUnits.attributes, withUnits.file) : 1;
  const whole: Vec3 = [scale[0] * units, scale[1] * units, scale[2] * units];
  const isScaled = whole.some((factor) => factor !== 1);
  return {
    axes: withAxes ? readAxes(withAxes.attributes, withAxes.file) : {},
    ...(withAxes && { axesFrom: withAxes.file }),
    scale: whole,
    isFlat: sources.some(({ attributes }) => isFlat(attributes)),
    files: [
      ...new Set(
        [withAxes, ...(isScaled ? [withScale, withUnits] : [])].flatMap((s) => s?.file ?? []),
      ),
    ],
    warnings: units === 1 ? [] : [unitsWarning(units)],
  };
}

export function unitsWarning(units: number): string {
  return `\`units_to_meters\` ${units} is applied; habitat-sim ignores this field, so its scene has another size`;
}

/** `scale` of a stage or an object. */
export function scaleOf(attributes: Attributes, file: string): Vec3 {
  const [x = 1, y = 1, z = 1] = numbersOf(attributes, "scale", 3, file) ?? [];
  return [x, y, z];
}

/** `units_to_meters` of a stage or an object. */
export function unitsOf(attributes: Attributes, file: string): number {
  const units = numberOf(attributes, "units_to_meters", file) ?? 1;
  if (units > 0) return units;
  throw new DataError(
    "bad_stage_config",
    `\`units_to_meters\` must be above 0; received ${units}`,
    {
      where: file,
      hint: "give the length of the file's unit in metres, such as 0.01 for centimetres",
    },
  );
}

export function hasAxes(attributes: Attributes): boolean {
  return attributes.up !== undefined || attributes.front !== undefined;
}

export function readAxes(attributes: Attributes, file: string): Partial<Axes> {
  const [up, front] = [axis(attributes.up, "up", file), axis(attributes.front, "front", file)];
  return { ...(up && { up }), ...(front && { front }) };
}

function isFlat(attributes: Attributes): boolean {
  return attributes.force_flat_shading === true || attributes.shader_type === "flat";
}

async function ownConfigs(sceneFile: string): Promise<Source[]> {
  const name = basename(sceneFile).replace(/\.[^.]+$/, "");
  const sources: Source[] = [];
  for (const stem of new Set([name, name.replace(/\.basis$/, "")])) {
    const file = join(dirname(sceneFile), `${stem}.stage_config.json`);
    const attributes = await readConfig(file);
    if (attributes) sources.push({ file, attributes });
  }
  return sources;
}

async function defaultsOf(sceneFile: string): Promise<Source[]> {
  const sources: Source[] = [];
  for (const file of await datasetConfigs(sceneFile)) {
    const stages = (await readConfig(file))?.stages;
    const attributes = isRecord(stages) ? stages.default_attributes : undefined;
    if (isRecord(attributes)) sources.push({ file, attributes });
  }
  return sources;
}

function axis(value: unknown, key: string, file: string): Vec3 | undefined {
  if (value === undefined) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [];
  const [x, y, z] = list;
  const numbers = typeof x === "number" && typeof y === "number" && typeof z === "number";
  const length = numbers ? Math.sqrt(x * x + y * y + z * z) : 0;
  if (!numbers || !(length > 1e-6) || !Number.isFinite(length)) {
    throw new DataError("bad_stage_config", `\`${key}\` is not a valid axis: ${show(value)}`, {
      where: file,
      hint: "give an axis as three numbers that are not all 0: [0, 0, 1]",
    });
  }
  return [x / length, y / length, z / length];
}

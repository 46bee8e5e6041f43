import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError, errorCode, errorMessage, show } from "../../core/errors.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";

/** Which of a file's axes point up and ahead. */
export interface Axes {
  readonly up: Vec3;
  readonly front: Vec3;
}

export interface StageConfig extends Partial<Axes> {
  /** The file it stands in. */
  readonly file: string;
}

/** How far above a scene its data set's configuration may lie: hm3d/val/00800-x/x.basis.glb is 2 deep. */
const LEVELS_UP = 3;

/**
 * What Habitat's configuration says about a scene's axes: `<name>.stage_config.json` beside it, else
 * the `stages.default_attributes` of a `*.scene_dataset_config.json` beside or above it. Undefined
 * where there is neither or they do not speak of axes.
 */
export async function findStageConfig(sceneFile: string): Promise<StageConfig | undefined> {
  const folder = dirname(sceneFile);
  const name = basename(sceneFile).replace(/\.[^.]+$/, "");
  for (const stem of new Set([name, name.replace(/\.basis$/, "")])) {
    const file = join(folder, `${stem}.stage_config.json`);
    const json = await readJson(file);
    const axes = json && readAxes(json, file);
    if (axes) return { file, ...axes };
  }
  let above = folder;
  for (let level = 0; level <= LEVELS_UP; level++) {
    for (const file of await datasetConfigs(above)) {
      const stages = (await readJson(file))?.stages;
      const defaults = isRecord(stages) ? stages.default_attributes : undefined;
      const axes = isRecord(defaults) ? readAxes(defaults, file) : undefined;
      if (axes) return { file, ...axes };
    }
    if (dirname(above) === above) break;
    above = dirname(above);
  }
  return undefined;
}

function readAxes(
  attributes: Readonly<Record<string, unknown>>,
  file: string,
): Partial<Axes> | undefined {
  const [up, front] = [axis(attributes.up, "up", file), axis(attributes.front, "front", file)];
  return up || front ? { ...(up && { up }), ...(front && { front }) } : undefined;
}

function axis(value: unknown, key: string, file: string): Vec3 | undefined {
  if (value === undefined) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [];
  const [x, y, z] = list;
  const numbers = typeof x === "number" && typeof y === "number" && typeof z === "number";
  const length = numbers ? Math.sqrt(x * x + y * y + z * z) : 0;
  if (!numbers || !(length > 1e-6) || !Number.isFinite(length)) {
    throw new DataError("bad_stage_config", `\`${key}\` is ${show(value)}`, {
      where: file,
      hint: "an axis is three numbers, not all 0: [0, 0, 1]",
    });
  }
  return [x / length, y / length, z / length];
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const json: unknown = JSON.parse(text);
    if (isRecord(json)) return json;
  } catch (error) {
    throw new DataError("bad_stage_config", `its JSON is broken: ${errorMessage(error)}`, {
      where: file,
      hint: "mend or remove it",
    });
  }
  return undefined;
}

/** In order of their names, so that every machine takes the same. */
async function datasetConfigs(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith(".scene_dataset_config.json"))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

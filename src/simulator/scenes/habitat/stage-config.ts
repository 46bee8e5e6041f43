import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError, errorCode, errorMessage, show } from "../../../core/errors.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { isRecord } from "../../../core/record.js";
import { checkWithin, mayLookAt } from "../within.js";

/** The axes of a file that point up and ahead. */
export interface Axes {
  readonly up: Vec3;
  readonly front: Vec3;
}

export interface StageConfig extends Partial<Axes> {
  /** The configuration file. */
  readonly file: string;
}

/**
 * Levels above a scene that are searched for its data set's configuration; hm3d/val/00800-x/x.basis.glb needs
 * 2.
 */
const LEVELS_UP = 3;

/**
 * Reads a scene's axes from Habitat's configuration: `<name>.stage_config.json` next to it, otherwise the
 * `stages.default_attributes` of a `*.scene_dataset_config.json` next to it or above it. Undefined if there
 * is none or it gives no axes.
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
    const next = dirname(above);
    if (next === above || !mayLookAt(next)) break;
    above = next;
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
    throw new DataError("bad_stage_config", `\`${key}\` is not a valid axis: ${show(value)}`, {
      where: file,
      hint: "give an axis as three numbers that are not all 0: [0, 0, 1]",
    });
  }
  return [x / length, y / length, z / length];
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  await checkWithin(file);
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
    throw new DataError(
      "bad_stage_config",
      `the configuration is not valid JSON: ${errorMessage(error)}`,
      {
        where: file,
        hint: "correct or remove it",
      },
    );
  }
  return undefined;
}

/** Sorted by name, so that every machine uses the same one. */
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

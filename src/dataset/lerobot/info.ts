import { join, resolve } from "node:path";
import { z } from "zod";
import { isBelow } from "../../config/paths.js";
import { DataError, show } from "../../core/errors.js";
import { check } from "../check.js";
import { readText } from "../readers/bytes.js";
import { parseJson } from "../readers/json.js";

const featureSchema = z.looseObject({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  /** A list, a nested list, or lists by kind (`{motors: [...]}`), depending on the writer. */
  names: z.unknown().optional(),
});

const infoSchema = z.looseObject({
  codebase_version: z.string(),
  robot_type: z.string().nullish(),
  total_episodes: z.int().nonnegative().optional(),
  fps: z.number().positive(),
  chunks_size: z.int().positive().default(1000),
  data_path: z.string().min(1),
  features: z.record(z.string(), featureSchema),
});

export type LerobotFeature = z.output<typeof featureSchema>;

/** The content of `meta/info.json`. */
export interface LerobotInfo extends Readonly<z.output<typeof infoSchema>> {
  readonly root: string;
  /** The path of the file, for error messages. */
  readonly file: string;
  readonly major: 2 | 3;
}

export async function readInfo(root: string): Promise<LerobotInfo> {
  const file = join(root, "meta", "info.json");
  const info = check(infoSchema, parseJson(await readText(file), file), { file, item: "info" });
  return { ...info, root, file, major: majorOf(info.codebase_version, file) };
}

function majorOf(version: string, file: string): 2 | 3 {
  const major = /^v?(\d+)\./.exec(version)?.[1];
  if (major === "2") return 2;
  if (major === "3") return 3;
  throw new DataError("unsupported_version", `codebase_version is ${show(version)}`, {
    where: file,
    hint: "valid: v2.0, v2.1, v3.0; LeRobot's own scripts convert older datasets",
  });
}

/**
 * Fills numbers into Python's `"data/chunk-{episode_chunk:03d}/..."` and resolves the path within the
 * dataset.
 */
export function dataFile(info: LerobotInfo, numbers: Readonly<Record<string, number>>): string {
  const name = info.data_path.replace(/\{(\w+)(?::0?(\d*)d)?\}/g, (field, key: string, width) => {
    const number = numbers[key];
    if (number === undefined) {
      throw new DataError("bad_dataset", `data_path has the unknown field ${field}`, {
        where: info.file,
        hint: `valid: ${Object.keys(numbers).join(", ")}`,
      });
    }
    return String(number).padStart(Number(width || 0), "0");
  });
  // A downloaded dataset must not refer to files outside its folder.
  if (isBelow(resolve(info.root), resolve(info.root, name))) return join(info.root, name);
  const problem = `data_path ${show(info.data_path)} points outside the dataset`;
  throw new DataError("bad_dataset", problem, { where: info.file });
}

/** The number of values of a feature per frame. */
export function widthOf({ shape }: LerobotFeature): number {
  return shape.reduce((product, n) => product * n, 1);
}

/** The names of a feature's values; undefined if their number does not match. */
export function namesOf(feature: LerobotFeature): readonly string[] | undefined {
  const names = flatNames(feature.names);
  return names.length === widthOf(feature) ? names : undefined;
}

function flatNames(names: unknown): string[] {
  if (typeof names === "string") return [names];
  if (typeof names !== "object" || names === null) return [];
  return Object.values(names).flatMap(flatNames);
}

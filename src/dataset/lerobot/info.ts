import { join, relative, resolve } from "node:path";
import { z } from "zod";
import { DataError, show } from "../../core/errors.js";
import { check } from "../check.js";
import { parseJson } from "../readers/json.js";
import { readText } from "../source.js";

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
export interface LerobotInfo {
  readonly root: string;
  /** The path of the file, for error messages. */
  readonly file: string;
  readonly major: 2 | 3;
  readonly robotType: string | undefined;
  readonly totalEpisodes: number | undefined;
  readonly fps: number;
  readonly chunksSize: number;
  readonly dataPath: string;
  readonly features: Readonly<Record<string, LerobotFeature>>;
}

export async function readInfo(root: string): Promise<LerobotInfo> {
  const file = join(root, "meta", "info.json");
  const raw = check(infoSchema, parseJson(await readText(file), file), { file, item: "info" });
  return {
    root,
    file,
    major: majorOf(raw.codebase_version, file),
    robotType: raw.robot_type ?? undefined,
    totalEpisodes: raw.total_episodes,
    fps: raw.fps,
    chunksSize: raw.chunks_size,
    dataPath: raw.data_path,
    features: raw.features,
  };
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
  const name = info.dataPath.replace(/\{(\w+)(?::0?(\d*)d)?\}/g, (field, key: string, width) => {
    const number = numbers[key];
    if (number === undefined) {
      throw new DataError("bad_dataset", `data_path has the unknown field ${field}`, {
        where: info.file,
        hint: `valid: ${Object.keys(numbers).join(", ")}`,
      });
    }
    return String(number).padStart(Number(width || 0), "0");
  });
  const path = resolve(info.root, name);
  // A downloaded dataset must not refer to files outside its folder.
  if (relative(resolve(info.root), path).startsWith("..")) {
    throw new DataError(
      "bad_dataset",
      `data_path ${show(info.dataPath)} points outside the dataset`,
      {
        where: info.file,
      },
    );
  }
  return join(info.root, name);
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

export function isNumeric({ dtype }: LerobotFeature): boolean {
  return /^(float|u?int)\d+$/.test(dtype);
}

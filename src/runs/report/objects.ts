import { open } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { mapOrdered } from "../ordered.js";
import type { RunDirectory } from "../run-directory.js";
import { GroupRates } from "./group-rates.js";

/** A task whose first episodes have no object is not searched further: most have none in any. */
const TRIED = 5;
const READ_AHEAD = 16;
/** Packed bytes that hold most headers; a longer one takes more turns. */
const FIRST_READ = 16 * 1024;

/**
 * Success by what an episode is about: the category that is looked for, the thing or fixture that is handled. Lines
 * do not name it; the headers of the trajectories do. A trajectory that is gone or damaged counts for nothing here.
 */
export async function objectRates(run: RunDirectory, repeats: number): Promise<GroupRates> {
  const rates = new GroupRates(repeats);
  const tried = new Map<string, { fruitless: number; found: boolean }>();
  const named = mapOrdered(run.episodes(), READ_AHEAD, async (line) => {
    const state = tried.get(line.task) ?? { fruitless: 0, found: false };
    tried.set(line.task, state);
    if (!state.found && state.fruitless >= TRIED) return { line, object: undefined };
    const object = await objectOf(run, line);
    if (object !== undefined) state.found = true;
    else if (line.trajectory !== null) state.fruitless++;
    return { line, object };
  });
  for await (const { line, object } of named) {
    if (object !== undefined) rates.add(object, line);
  }
  return rates;
}

async function objectOf(run: RunDirectory, line: EpisodeLine): Promise<string | undefined> {
  const file = run.trajectoryOf(line);
  const header = file === null ? undefined : await headerOf(file).catch(() => undefined);
  const episode = isRecord(header) ? header.episode : undefined;
  return isRecord(episode) ? objectIn(episode.goals) : undefined;
}

/** What goals are about; undefined where that is a place. */
export function objectIn(goals: unknown): string | undefined {
  if (!isRecord(goals)) return undefined;
  if (typeof goals.object_category === "string") return goals.object_category;
  for (const target of [goals.target_object, goals.target_fixture]) {
    const name = isRecord(target) ? target.name : target;
    if (typeof name === "string") return name;
  }
  return undefined;
}

/** The first line of a trajectory, without unpacking the steps behind it. */
async function headerOf(path: string): Promise<unknown> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    for (let length = FIRST_READ; ; length *= 4) {
      const packed = Buffer.alloc(Math.min(length, size));
      await file.read(packed, 0, packed.length, 0);
      // Flushing gives what is there so far, where the usual end would call the file cut off.
      const bytes = gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
      const end = bytes.indexOf(0x0a);
      if (end !== -1) return JSON.parse(bytes.toString("utf8", 0, end));
      if (length >= size) return undefined;
    }
  } finally {
    await file.close();
  }
}

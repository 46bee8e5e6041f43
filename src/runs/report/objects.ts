import { constants, gunzipSync } from "node:zlib";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { MAX_JSON_TEXT } from "../../dataset/readers/json-limits.js";
import { mapOrdered } from "../directory/ordered.js";
import { openPlain } from "../directory/plain-files.js";
import type { RunDirectory } from "../directory/run-directory.js";
import { GroupRates } from "../summary/group-rates.js";

/** Stops reading trajectories of a task when its first episodes name no object: then usually none does. */
const TRIED = 5;
const READ_AHEAD = 16;
/** Compressed bytes that contain most headers; longer headers take further reads. */
const FIRST_READ = 16 * 1024;

/**
 * Success rate by target: the category to find, or the object or fixture to manipulate. Result lines do not name
 * it, so it is read from the trajectory headers. Missing and damaged trajectories are skipped.
 */
export async function objectRates(run: RunDirectory, repeats: number): Promise<GroupRates> {
  const rates = new GroupRates(repeats);
  const tried = new Map<string, { misses: number; found: boolean }>();
  const named = mapOrdered(run.episodes(), READ_AHEAD, async (line) => {
    const state = tried.get(line.task) ?? { misses: 0, found: false };
    tried.set(line.task, state);
    if (!state.found && state.misses >= TRIED) return { line, object: undefined };
    const object = await objectOf(run, line);
    if (object !== undefined) state.found = true;
    else if (line.trajectory !== null) state.misses++;
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

/** The object that the goals name; undefined if they name only a position. */
export function objectIn(goals: unknown): string | undefined {
  if (!isRecord(goals)) return undefined;
  if (typeof goals.object_category === "string") return goals.object_category;
  for (const target of [goals.target_object, goals.target_fixture]) {
    const name = isRecord(target) ? target.name : target;
    if (typeof name === "string") return name;
  }
  return undefined;
}

/** Reads the first line of a trajectory without decompressing its steps. */
async function headerOf(path: string): Promise<unknown> {
  const file = await openPlain(path);
  try {
    const { size } = await file.stat();
    for (let length = FIRST_READ; ; length *= 4) {
      const packed = Buffer.alloc(Math.min(length, size));
      await file.read(packed, 0, packed.length, 0);
      // The default flush mode would reject the partial file as truncated.
      const bytes = gunzipSync(packed, {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: MAX_JSON_TEXT,
      });
      const end = bytes.indexOf(0x0a);
      if (end !== -1) return JSON.parse(bytes.toString("utf8", 0, end));
      if (length >= size) return undefined;
    }
  } finally {
    await file.close();
  }
}

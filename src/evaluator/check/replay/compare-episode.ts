import { gunzipSync } from "node:zlib";
import { DataError, errorMessage } from "../../../core/errors.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { readPlain } from "../../../runs/directory/plain-files.js";
import { readTrajectory, type TrajectoryBuffer } from "../../../runs/directory/trajectory.js";
import { lineDifference } from "./compared-line.js";
import { firstDifference } from "./difference.js";
import type { Difference } from "./documents.js";
import type { RecordedEpisode } from "./recorded-run.js";

type Found = Omit<Difference, "episode_key" | "repeat">;

/**
 * The first difference between a recorded episode and its replay, which ran to its end; undefined if they are equal to
 * the bit.
 */
export async function compareEpisode(
  recorded: RecordedEpisode,
  now: EpisodeLine,
  steps: TrajectoryBuffer,
): Promise<Difference | undefined> {
  const { line, file } = recorded;
  const { episode_key, repeat } = line;
  // The record has the step at which the agent failed, but not the reason.
  const brokenOff = line.fault === "agent";
  const inLine = lineDifference(line, now, brokenOff ? ["end_reason", "explanation"] : []);
  const found = (await inTrajectory(file, steps)) ?? (inLine && { step: null, ...inLine });
  return found && { episode_key, repeat, ...found };
}

async function inTrajectory(file: string, steps: TrajectoryBuffer): Promise<Found | undefined> {
  const packed = await steps.pack();
  // Equal bytes mean equal content. Different bytes may come from another zlib version.
  const bytes = await readPlain(file).catch(() => undefined);
  if (bytes?.equals(packed)) return undefined;
  try {
    return await stepByStep(file, gunzipSync(packed).toString("utf8"));
  } catch (error) {
    if (error instanceof DataError) return damaged(error);
    throw error;
  }
}

/** The result for a trajectory that cannot be read. */
export function damaged(error: DataError): Found {
  return { step: null, field: "trajectory", recorded: null, now: null, why: errorMessage(error) };
}

async function stepByStep(file: string, text: string): Promise<Found | undefined> {
  const { episode, records } = await readTrajectory(file);
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const asked = firstDifference(episode.toDict(), JSON.parse(header).episode, "episode");
  if (asked) return { step: null, ...asked };
  for (const [step, record] of records.entries()) {
    const now = lines[step];
    const then = JSON.stringify(record);
    if (now === undefined || now === then) continue;
    const found = firstDifference(withoutFacts(JSON.parse(then)), withoutFacts(JSON.parse(now)));
    if (found) return { step, ...found };
  }
  const [then, now] = [records.length - 1, lines.length - 1];
  if (then === now) return undefined;
  return { step: Math.min(then, now) + 1, field: "step", ...ends(then, now) };
}

/** Facts follow from the compared states, and older records have none. */
function withoutFacts({ facts: _, ...record }: StepRecord): object {
  return record;
}

/** The difference when one trajectory is shorter. */
function ends(then: number, now: number): { readonly recorded: unknown; readonly now: unknown } {
  return then < now ? { recorded: null, now: then + 1 } : { recorded: now + 1, now: null };
}

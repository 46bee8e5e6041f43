import type { EpisodeDocument } from "../../../../src/server/view/documents.js";

/** The record at which the page opens, and why. */
export interface TellingStep {
  readonly index: number;
  readonly reason: "start" | "closest" | "drop" | "stalled" | "end";
}

type Known = Pick<EpisodeDocument, "line" | "records" | "events">;

/**
 * The step that says most about the outcome. Successes start at the first step. A failure opens where the object was
 * first dropped, else where the robot was closest to the goal, else at the last progress; an invalid episode at its end.
 */
export function tellingStep({ line, records, events }: Known): TellingStep {
  const last = records.length - 1;
  if (last < 1 || line.outcome === "success") return { index: 0, reason: "start" };
  if (line.outcome === "invalid") return { index: last, reason: "end" };
  const indexOf = (step: number) =>
    Math.max(
      0,
      records.findIndex((record) => record.step === step),
    );
  const drop = events.find(({ kind }) => kind === "drop");
  if (drop) return { index: indexOf(drop.step), reason: "drop" };
  const closest = closestRecord(records);
  if (closest !== null) return { index: closest, reason: "closest" };
  const progress = events.findLast(({ kind }) => kind === "grasp" || kind === "stage");
  if (progress) return { index: indexOf(progress.step), reason: "stalled" };
  return { index: last, reason: "end" };
}

/** The first record with the least distance to the goal; null if the records have none. */
function closestRecord(records: EpisodeDocument["records"]): number | null {
  let least = Number.POSITIVE_INFINITY;
  let found: number | null = null;
  records.forEach(({ state: { distance_to_goal: distance } }, index) => {
    if (typeof distance !== "number" || !(distance < least)) return;
    least = distance;
    found = index;
  });
  return found;
}

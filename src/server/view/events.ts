import { STOP } from "../../core/interfaces/action.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import type { EpisodeEvent } from "./documents.js";

/** What happened in an episode, step by step; of one step, causes before what came of them. */
export function eventsOf(records: readonly StepRecord[], line: EpisodeLine): EpisodeEvent[] {
  const events: EpisodeEvent[] = [];
  const reached = new Set<string>();
  let before: StepState | undefined;
  for (const { step, action, state } of records) {
    const add = (kind: EpisodeEvent["kind"], detail = "") => events.push({ step, kind, detail });
    // A robot that pushes against a wall for fifty steps has met it once.
    if (state.collided === true && before?.collided !== true) add("collision");
    const [held, holds] = [before && grasped(before), grasped(state)];
    const target = typeof state.target === "string" ? state.target : "";
    if (holds === true && held !== true) add("grasp", target);
    if (holds === false && held === true && !isFinished(state)) add("drop", target);
    for (const [stage, isReached] of Object.entries(state.stages ?? {})) {
      if (!isReached || reached.has(stage)) continue;
      reached.add(stage);
      // What holds before anything was done is how the world begins; a grasp has been told.
      if (step > 0 && stage !== GRASPED) add("stage", stage);
    }
    if (action === STOP) add("stop");
    if (state.success === true && before?.success !== true) add("success");
    before = state;
  }
  const last = records.at(-1);
  if (!last) return events;
  const { step } = last;
  const told = events.some(({ kind }) => kind === "success");
  // Navigation is judged at the end, and its states do not say so.
  if (line.outcome === "success" && !told) events.push({ step, kind: "success", detail: "" });
  events.push({ step, kind: "end", detail: line.end_reason });
  return events;
}

const GRASPED = "grasped";

/**
 * Whether the robot holds the thing now; undefined where the state does not say. Conditions remember that it
 * was grasped once, and so tell of the first grasp only.
 */
function grasped(state: StepState): boolean | undefined {
  const now = state.stages?.[GRASPED];
  if (now !== undefined) return now;
  if (typeof state.object_grasped === "boolean") return state.object_grasped;
  return state.conditions?.find(({ name }) => name === GRASPED)?.holds;
}

/** The last stage holds: what is let go then was put where it belongs. */
function isFinished({ stages = {}, success }: StepState): boolean {
  return success === true || Object.values(stages).at(-1) === true;
}

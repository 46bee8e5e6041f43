import { STOP } from "../../core/interfaces/action.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import type { EpisodeEvent } from "./documents.js";

/** The events of an episode by step; within a step, causes before effects. */
export function eventsOf(records: readonly StepRecord[], line: EpisodeLine): EpisodeEvent[] {
  const events: EpisodeEvent[] = [];
  const reached = new Set<string>();
  let before: StepState | undefined;
  for (const { step, action, state } of records) {
    const add = (kind: EpisodeEvent["kind"], detail = "") => events.push({ step, kind, detail });
    // Consecutive steps in contact count as one collision.
    if (state.collided === true && before?.collided !== true) add("collision");
    const [held, holds] = [before && grasped(before), grasped(state)];
    const target = typeof state.target === "string" ? state.target : "";
    if (holds === true && held !== true) add("grasp", target);
    if (holds === false && held === true && !isFinished(state)) add("drop", target);
    for (const [stage, isReached] of Object.entries(state.stages ?? {})) {
      if (!isReached || reached.has(stage)) continue;
      reached.add(stage);
      // Stages that hold at the start are not events; grasps have their own event.
      if (step > 0 && stage !== GRASPED) add("stage", stage);
    }
    if (action === STOP) add("stop");
    if (state.success === true && before?.success !== true) add("success");
    before = state;
  }
  const last = records.at(-1);
  if (!last) return events;
  const { step } = last;
  const isReported = events.some(({ kind }) => kind === "success");
  // The states of navigation episodes do not contain the success at the end.
  if (line.outcome === "success" && !isReported) events.push({ step, kind: "success", detail: "" });
  events.push({ step, kind: "end", detail: line.end_reason });
  return events;
}

const GRASPED = "grasped";

/**
 * True if the robot holds the object now; undefined if the state does not say. Conditions stay true after the first
 * grasp, so they cannot show later ones.
 */
function grasped(state: StepState): boolean | undefined {
  const now = state.stages?.[GRASPED];
  if (now !== undefined) return now;
  if (typeof state.object_grasped === "boolean") return state.object_grasped;
  return state.conditions?.find(({ name }) => name === GRASPED)?.holds;
}

/** True if the last stage holds: a release is then a placement, not a drop. */
function isFinished({ stages = {}, success }: StepState): boolean {
  return success === true || Object.values(stages).at(-1) === true;
}

import type { Condition, StepState } from "../../core/interfaces/step.js";
import type { EpisodeEnd, ManipulationSummary } from "../../core/task/base.js";

/** An object that sinks by more than this after the grip is lost was dropped, not put down. */
const FALL_M = 0.03;

/**
 * Why a manipulation episode failed: the first stage that was not reached. Undefined if the states do not have the
 * built-in stages.
 */
export function explainHandling(end: EpisodeEnd): string | undefined {
  const { handling, lastState } = end;
  if (lastState.error) return errorText(lastState.error);
  if (!handling || typeof lastState.target !== "string") return undefined;
  // The stages of a user's rule have other meanings.
  if (lastState.stages?.reached === undefined) return undefined;
  const name = lastState.target;
  const { reached, grasped, moved } = handling.stages;
  const opened = condition(lastState, "opened");
  if (!reached && !grasped && !(opened && moved)) {
    const near = handling.closestReachM;
    return `never reached ${name}${Number.isFinite(near) ? `: came within ${metres(near)}` : ""}`;
  }
  if (opened) return explainOpening(name, opened, lastState, handling);
  if (!grasped) {
    const force = condition(lastState, "grasped");
    const most = force
      ? `: both fingers pressed with ${force.value.toFixed(1)} N at most, needs ${force.threshold}`
      : "";
    return `reached ${name} in step ${reached?.first} but never grasped it${most}`;
  }
  const lifted = condition(lastState, "lifted");
  if (lifted && !lifted.holds) {
    return `grasped ${name} in step ${grasped.first} but lifted it only ${metres(lifted.value)} (needs ${lifted.threshold})`;
  }
  return explainPlacing(name, end, handling);
}

function explainOpening(
  name: string,
  opened: Condition,
  state: StepState,
  { stages }: ManipulationSummary,
): string {
  const needed = `(needs ${percent(opened.threshold)})`;
  if (opened.holds) {
    const rest = missing(state);
    return rest
      ? `${name} ${percent(opened.value)} open but still moving (${sentence(rest)})`
      : `${name} ${percent(opened.value)} open, but not for long enough`;
  }
  const so = `${name} ${percent(opened.value)} open ${needed}`;
  if (stages.opened) {
    return `${so}; it was open far enough until step ${stages.opened.last} and went back`;
  }
  if (stages.moved) return so;
  const reached = stages.reached?.first;
  const early = reached === undefined ? "" : `reached ${name} in step ${reached} but `;
  // A drawer that is pressed against its stop has a slightly negative opening.
  const share = percent(Math.max(0, opened.value));
  return stages.grasped
    ? `${early}could not move ${reached === undefined ? name : "it"}: ${share} open ${needed}`
    : `${early}never grasped ${reached === undefined ? name : "it"}: ${share} open ${needed}`;
}

/** For objects that were grasped and lifted. */
function explainPlacing(
  name: string,
  end: EpisodeEnd,
  handling: ManipulationSummary,
): string | undefined {
  const { lastState } = end;
  const first = missing(lastState);
  const { grasped, placed, stacked, released } = handling.stages;
  if (!first) return `${name} was in place, but not for long enough`;
  const off = away(lastState);
  if (grasped && !grasped.after) {
    return `still held ${name} at the end${off ? `, ${off}` : ""}`;
  }
  const dropped = drop(lastState, handling);
  if (dropped) return `dropped ${name} in step ${dropped.step} (lifted ${metres(dropped.liftM)})`;
  if (off) {
    const inPlace = placed ?? stacked;
    const left =
      released && inPlace ? `; it was in place until step ${inPlace.last} and moved away` : "";
    return `placed ${name} ${off}${left}`;
  }
  if (first.name === "released") return `${name} is in place but was not let go of`;
  return `${name} is in place, but ${sentence(first)}`;
}

/** The step in which the object was dropped, and its height; undefined if it was not dropped. */
function drop(
  end: StepState,
  { stages }: ManipulationSummary,
): { readonly step: number; readonly liftM: number } | undefined {
  const endM = liftOf(end);
  const { lifted, grasped } = stages;
  const inTheAir = lifted?.after?.stages?.grasped === false ? lifted : undefined;
  for (const memory of [inTheAir, grasped]) {
    if (!memory) continue;
    const liftM = liftOf(memory.state);
    if (liftM - endM > FALL_M) return { step: memory.last + 1, liftM };
  }
  return undefined;
}

/** The distance from the target, if a condition about it does not hold. */
function away(state: StepState): string | undefined {
  const level = condition(state, "at_target") ?? condition(state, "above_base");
  if (level && !level.holds)
    return `${metres(level.value)} off (tolerance ${short(level.threshold)})`;
  const height = condition(state, "at_height") ?? condition(state, "on_top");
  if (height && !height.holds) {
    return `${metres(height.value)} too high or too low (tolerance ${short(height.threshold)})`;
  }
  return undefined;
}

/** The first condition of a rule that did not hold at the end; undefined if there are no conditions. */
export function explainRule({ lastState, handling }: EpisodeEnd): string | undefined {
  const first = missing(lastState);
  if (!first)
    return lastState.conditions?.length
      ? "all conditions hold, but not for long enough"
      : undefined;
  const held = handling?.stages[first.name];
  return `${sentence(first)}${held ? `; it held until step ${held.last}` : ""}`;
}

function missing(state: StepState): Condition | undefined {
  return state.conditions?.find(({ holds }) => !holds);
}

/** Describes a condition that does not hold. */
function sentence({ name, value, threshold }: Condition): string {
  return `${name} was ${value.toFixed(3)}, needs ${short(threshold)}`;
}

function condition(state: StepState, name: string): Condition | undefined {
  return state.conditions?.find((one) => one.name === name);
}

function liftOf(state: StepState): number {
  return typeof state.lift_m === "number" ? state.lift_m : 0;
}

function errorText(error: string | boolean): string {
  return typeof error === "string" ? error : "the simulation diverged";
}

function metres(distance: number): string {
  return `${distance.toFixed(2)} m`;
}

/** Rounded to four digits, which hides rounding errors of computed thresholds. */
function short(value: number): string {
  return String(Number(value.toFixed(4)));
}

/** Rounded down, so that 74.9 % does not look like 75 %. */
function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-6)} %`;
}

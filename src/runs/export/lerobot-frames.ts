import { DataError } from "../../core/errors.js";
import { type Action, actionName } from "../../core/interfaces/action.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import { headingToQuatXyzw } from "../../core/math/rotation.js";
import { StepClock } from "../../dataset/lerobot/step-clock.js";
import { nameOf } from "./steps.js";

const PLACE = ["x", "y", "z"] as const;
const TURN = ["qx", "qy", "qz", "qw"] as const;

/** The feature layout that all frames of a dataset share. */
export interface FrameShape {
  /** Names of the values in `observation.state`; null for joints, which the robot descriptor names. */
  readonly stateNames: readonly string[] | null;
  readonly stateWidth: number;
  /** Length of `observation.ee_pose`; 0 without an end effector. */
  readonly eeWidth: number;
  /** Length of action vectors; 0 if all actions are named. */
  readonly vectorWidth: number;
  /** Steps per second; undefined for simulators without a clock. */
  readonly rate: number | undefined;
}

/** The state as a policy observes it: joint positions, or position and heading. */
export function stateNumbers(state: StepState): readonly number[] {
  const { qpos, position } = state;
  if (qpos) return qpos;
  return position ? [...position, ...(turnOf(state) ?? [])] : [];
}

function turnOf({ rotation, heading }: StepState): readonly number[] | undefined {
  return rotation ?? (heading === undefined ? undefined : headingToQuatXyzw(heading));
}

/** Reads all episodes before the first is written, and checks that they share one layout. */
export class FrameSurvey {
  /** Action names. */
  readonly #names = new Set<string>();
  #hasArguments = false;
  #shape: FrameShape | undefined;
  #first = "";

  get names(): readonly string[] {
    return [...this.#names].sort();
  }

  /** True if an action has an argument, as in `goto:<node>`. */
  get hasArguments(): boolean {
    return this.#hasArguments;
  }

  get shape(): FrameShape | undefined {
    return this.#shape;
  }

  add(line: EpisodeLine, records: readonly StepRecord[], where: string): void {
    const shape = this.#shapeOf(line, records, where);
    if (!this.#shape) {
      this.#shape = shape;
      this.#first = nameOf(line);
      return;
    }
    // An episode with only named actions does not determine the length of action vectors.
    const vectorWidth = this.#shape.vectorWidth || shape.vectorWidth;
    const known = { ...this.#shape, vectorWidth };
    const own = { ...shape, vectorWidth: shape.vectorWidth || vectorWidth };
    if (JSON.stringify(own) === JSON.stringify(known)) {
      this.#shape = known;
      return;
    }
    throw new DataError(
      "not_alike",
      `${nameOf(line)} has ${inWords(shape)}, and ${this.#first} has ${inWords(this.#shape)}`,
      {
        where,
        hint: "all episodes of a LeRobot dataset need the same features: export each task separately with --task",
      },
    );
  }

  #shapeOf(line: EpisodeLine, records: readonly StepRecord[], where: string): FrameShape {
    const clock = new StepClock();
    for (const record of records.slice(0, 2)) clock.add(record);
    const first = records[0]?.state ?? {};
    const stateWidth = stateNumbers(first).length;
    if (stateWidth === 0) {
      throw new DataError(
        "no_state",
        `the steps of ${nameOf(line)} have neither qpos nor position, so there is no state to export`,
        { where },
      );
    }
    const eeWidth = first.ee_pose?.length ?? 0;
    const vectorWidths = new Set<number>();
    for (const { action } of records) this.#note(action, vectorWidths);
    const odd = records.find(
      ({ state }) =>
        stateNumbers(state).length !== stateWidth || (state.ee_pose?.length ?? 0) !== eeWidth,
    );
    if (odd || vectorWidths.size > 1) {
      const what = odd ? `the state of step ${odd.step}` : "an action";
      throw new DataError(
        "not_alike",
        `${nameOf(line)}: ${what} differs in length from the ones before it`,
        { where },
      );
    }
    return {
      stateNames: first.qpos ? null : turnOf(first) ? [...PLACE, ...TURN] : PLACE,
      stateWidth,
      eeWidth,
      vectorWidth: [...vectorWidths][0] ?? 0,
      rate: clock.rate,
    };
  }

  #note(action: Action | null, vectorWidths: Set<number>): void {
    if (typeof action === "string") {
      this.#names.add(actionName(action));
      this.#hasArguments ||= action.includes(":");
    } else if (action) vectorWidths.add(action.length);
  }
}

function inWords({ stateNames, stateWidth, eeWidth, vectorWidth, rate }: FrameShape): string {
  const state = stateNames ? `a state of ${stateNames.join(", ")}` : `${stateWidth} joints`;
  const ee = eeWidth > 0 ? ", an end effector" : "";
  const action = vectorWidth > 0 ? `actions of ${vectorWidth} numbers` : "named actions";
  const clock = rate === undefined ? "no clock" : `${rate} steps per second`;
  return `${state}${ee}, ${action} and ${clock}`;
}

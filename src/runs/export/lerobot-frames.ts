import { DataError } from "../../core/errors.js";
import { type Action, actionName } from "../../core/interfaces/action.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import { headingToQuatXyzw } from "../../core/math/rotation.js";
import { StepClock } from "../../dataset/lerobot/step-clock.js";
import { nameOf } from "./steps.js";

const PLACE = ["x", "y", "z"] as const;
const TURN = ["qx", "qy", "qz", "qw"] as const;

/** What all frames of a dataset share. */
export interface FrameShape {
  /** Names of the numbers of `observation.state`; null for joints, whose names the robot knows. */
  readonly stateNames: readonly string[] | null;
  readonly stateWidth: number;
  /** Numbers of `observation.ee_pose`; 0 where there is none. */
  readonly eeWidth: number;
  /** Numbers of an action that is a vector; 0 where all have names. */
  readonly vectorWidth: number;
  /** Steps a second; undefined where the simulator has no clock. */
  readonly rate: number | undefined;
}

/** A state as a robot's policy would be told it: its joints, or where it stands and looks. */
export function stateNumbers(state: StepState): readonly number[] {
  const { qpos, position } = state;
  if (qpos) return qpos;
  return position ? [...position, ...(turnOf(state) ?? [])] : [];
}

function turnOf({ rotation, heading }: StepState): readonly number[] | undefined {
  return rotation ?? (heading === undefined ? undefined : headingToQuatXyzw(heading));
}

/** Looks through all episodes for what they share, before the first is written. */
export class FrameSurvey {
  /** Names of actions, in the order of the alphabet. */
  readonly #names = new Set<string>();
  #hasArguments = false;
  #shape: FrameShape | undefined;
  #first = "";

  get names(): readonly string[] {
    return [...this.#names].sort();
  }

  /** Whether an action had more to it (`goto:<node>`) than its name. */
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
    // An episode of nothing but a named action says nothing of the vectors that others have.
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
        hint: "all episodes of a LeRobot dataset have the same features: export the tasks apart, with --task",
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
        `the steps of ${nameOf(line)} have neither qpos nor a position: there is no state to write`,
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
        `${nameOf(line)}: ${what} has more or fewer numbers than the ones before it`,
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
  const clock = rate === undefined ? "no clock" : `${rate} steps a second`;
  return `${state}${ee}, ${action} and ${clock}`;
}

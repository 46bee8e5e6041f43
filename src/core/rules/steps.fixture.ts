import type { StepState } from "../interfaces/step.js";
import type { Vec3 } from "../math/vec3.js";
import type { SuccessCriteria } from "./criteria.js";
import type { Facts, ObjectFacts } from "./facts.js";
import { type JudgedByRules, SuccessJudge } from "./judge.js";
import { StepFacts } from "./moment.js";
import { builtInPredicates } from "./predicates/index.js";

/** Hand-made states and facts, for tests of rules without physics. */

/** An object at one step; by default it stands on a table of 0.75 m, far from the robot. */
export interface ObjectStep {
  readonly position?: Vec3;
  /** Its height, if there is no position. */
  readonly lowestM?: number;
  readonly rotation_wxyz?: readonly [number, number, number, number];
  readonly speedMps?: number;
  readonly turnRadps?: number;
  readonly fingersN?: readonly [number, number];
  readonly fingersTouch?: readonly [boolean, boolean];
  readonly robotTouches?: boolean;
  readonly touches?: ObjectFacts["touches"];
  /** Distance of the end effector from its surface. */
  readonly reachM?: number;
}

export interface FixtureStep {
  readonly kind?: "drawer" | "door";
  readonly opened?: number;
  readonly speed?: number;
  readonly fingersN?: readonly [number, number];
  readonly reachM?: number;
}

/** Grasped by both fingers. */
export const HELD = { fingersN: [2, 2], robotTouches: true, reachM: 0 } as const;

interface WorldStep {
  readonly objects?: Readonly<Record<string, ObjectStep>>;
  readonly fixtures?: Readonly<Record<string, FixtureStep>>;
  readonly contacts?: Facts["contacts"];
  readonly more?: Partial<Facts>;
  /** Size of every object. */
  readonly sizeM?: Vec3;
}

export interface Observed {
  readonly state: StepState;
  readonly facts: Facts;
}

export function observed({ objects = {}, fixtures = {}, ...rest }: WorldStep): Observed {
  const size = rest.sizeM ?? [0.06, 0.08, 0.1];
  const half = size[2] / 2;
  const poses = Object.entries(objects).map(([name, { position, lowestM = 0.75, ...step }]) => {
    const at: Vec3 = position ?? [0.5, 0, lowestM + half];
    return [
      name,
      { position: at, rotation_wxyz: step.rotation_wxyz ?? ([1, 0, 0, 0] as const) },
    ] as const;
  });
  const [first] = Object.values(objects);
  const [x, y, z] = poses[0]?.[1].position ?? [0, 0, 0];
  return {
    state: {
      ee_pose: [x + size[0] / 2 + (first?.reachM ?? 0.4), y, z, 1, 0, 0, 0],
      objects: Object.fromEntries(poses),
    },
    facts: {
      things: Object.fromEntries([
        ...Object.keys(objects).map((name) => [name, { shape: "box", size_m: size }]),
        ...Object.entries(fixtures).map(([name, { kind = "drawer" }]) => [name, { kind }]),
      ]),
      objects: Object.fromEntries(
        Object.entries(objects).map(([name, step]) => [
          name,
          {
            speed_mps: step.speedMps ?? 0,
            turn_radps: step.turnRadps ?? 0,
            fingers_n: step.fingersN ?? [0, 0],
            fingers_touch: step.fingersTouch ?? [false, false],
            robot_touches: step.robotTouches ?? false,
            touches: step.touches ?? {},
          },
        ]),
      ),
      fixtures: Object.fromEntries(
        Object.entries(fixtures).map(([name, step]) => [
          name,
          {
            opened: step.opened ?? 0,
            speed: step.speed ?? 0,
            fingers_n: step.fingersN ?? [0, 0],
            reach_m: step.reachM ?? 0.4,
          },
        ]),
      ),
      contacts: rest.contacts ?? [],
      ...rest.more,
    },
  };
}

/** The states of one episode with verdicts. */
export function judgedBy(task: JudgedByRules, steps: readonly Observed[]): StepState[] {
  const judge = new SuccessJudge(task);
  return steps.map((step) => judge.update(step).state);
}

/** A task with these criteria. */
export function taskOf(criteria: SuccessCriteria): JudgedByRules {
  return {
    taskType: "test",
    successCriteria: criteria,
    reportedCriteria: criteria,
    predicates: builtInPredicates,
  };
}

/** Evaluates one predicate at the last of some steps. */
export function measured(
  name: string,
  params: Readonly<Record<string, unknown>>,
  ...steps: readonly Observed[]
) {
  const predicate = builtInPredicates.find(name);
  if (!predicate || !("measure" in predicate)) throw new Error(`no predicate ${name}`);
  const [first, before, now] = [steps[0], steps.at(-2), steps.at(-1)].map(
    (step) => step && new StepFacts(step.state, step.facts, step.facts.things ?? {}),
  );
  if (!first || !now) throw new Error("no steps");
  return predicate.measure(predicate.params.parse(params), {
    now,
    before: steps.length > 1 ? before : undefined,
    first,
  });
}

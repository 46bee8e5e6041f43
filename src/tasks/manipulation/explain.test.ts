import { describe, expect, it } from "vitest";
import type { Action } from "../../core/interfaces/action.js";
import type { StepState } from "../../core/interfaces/step.js";
import {
  type FixtureStep,
  HELD,
  judgedBy,
  type ObjectStep,
  observed,
} from "../../core/rules/steps.fixture.js";
import type { TaskConfig } from "../../core/task/base.js";
import { EpisodeSummaryBuilder } from "../../core/task/episode-summary.js";
import { OpeningTask } from "./opening.js";
import { PickAndPlaceTask } from "./pick-place.js";
import { StackingTask } from "./stacking.js";
import { ManipulationTask } from "./task.js";

const times = <T>(count: number, step: T): T[] => Array.from({ length: count }, () => step);

/** The explanation of an episode of these states that ran out of steps. */
function explained(
  task: ManipulationTask,
  states: readonly StepState[],
  { endReason = "max_steps", action = [] as Action } = {},
): string {
  const builder = new EpisodeSummaryBuilder();
  for (const [step, state] of states.entries()) {
    builder.add({ step, action: step === 0 ? null : action, state });
  }
  return task.explain({ succeeded: false, endReason, ...builder.summary });
}

const PICKING = new PickAndPlaceTask({
  goals: {
    target_object: { name: "cup_red" },
    target_location: { position: [1, 0, 0.8] },
    success_criteria: { type: "grasp_and_lift", lift_height: 0.1, place_tolerance: 0.05 },
  },
});

function picking(...steps: readonly ObjectStep[]): string {
  const states = judgedBy(
    PICKING,
    steps.map((step) => observed({ objects: { cup_red: step } })),
  );
  return explained(PICKING, states);
}

const START = {};
const NEAR = { reachM: 0.02 };
const GRASP = [START, NEAR, HELD, HELD];
const UP = { ...HELD, lowestM: 0.89, position: [0.7, 0, 0.94] } as const;
const CARRY = [...GRASP, UP, UP];

describe("the explanation of a failed pick and place", () => {
  it("the explanation of a failed pick and place says how close the hand came if the object was never reached", () => {
    expect(picking(START, { reachM: 0.212 }, START)).toBe(
      "never reached cup_red: came within 0.21 m (max_steps after 2 steps)",
    );
  });

  it("the explanation of a failed pick and place says when the object was reached if it was never grasped", () => {
    const weak = { reachM: 0, fingersN: [0.3, 0.4] as const };
    expect(picking(START, START, NEAR, weak, weak)).toBe(
      "reached cup_red in step 2 but never grasped it: both fingers pressed with 0.3 N at most, needs 0.5 (max_steps after 4 steps)",
    );
  });

  it("the explanation of a failed pick and place says how high the object was lifted if that was not enough", () => {
    expect(picking(...GRASP, { ...HELD, lowestM: 0.79 }, START)).toBe(
      "grasped cup_red in step 3 but lifted it only 0.04 m (needs 0.1) (max_steps after 5 steps)",
    );
  });

  it("the explanation of a failed pick and place says in which step and from what height the object was dropped", () => {
    expect(picking(...CARRY, { lowestM: 0.85 }, START)).toBe(
      "dropped cup_red in step 6 (lifted 0.14 m) (max_steps after 7 steps)",
    );
  });

  it("the explanation of a failed pick and place detects a drop while the hand moves down", () => {
    const lower = { ...HELD, lowestM: 0.84 };
    expect(picking(...CARRY, lower, START)).toContain("dropped cup_red in step 7 (lifted 0.09 m)");
  });

  it("the explanation of a failed pick and place reports a drop even if the object was grasped again later", () => {
    const again = times(3, HELD);
    expect(picking(...CARRY, START, ...again, START)).toContain("dropped cup_red in step 6");
  });

  it("the explanation of a failed pick and place says how far from the target the object was placed", () => {
    const down = { position: [0.93, 0, 0.8] as const };
    expect(picking(...CARRY, { ...HELD, ...down, lowestM: 0.755 }, down, down)).toBe(
      "placed cup_red 0.07 m off (tolerance 0.05) (max_steps after 8 steps)",
    );
  });

  it("the explanation of a failed pick and place says that the object came to rest too high or too low", () => {
    const onEdge = { position: [1, 0, 0.86] as const };
    expect(picking(...CARRY, { ...HELD, lowestM: 0.755 }, onEdge)).toContain(
      "placed cup_red 0.06 m too high or too low (tolerance 0.05)",
    );
  });

  it("the explanation of a failed pick and place says that the object moved away after it was in place", () => {
    const there = { position: [1, 0, 0.8] as const };
    const gone = { position: [1.3, 0, 0.8] as const };
    expect(picking(...CARRY, { ...HELD, lowestM: 0.755 }, there, there, gone)).toContain(
      "placed cup_red 0.30 m off (tolerance 0.05); it was in place until step 8 and moved away",
    );
  });

  it("the explanation of a failed pick and place says that the object was still held, and how far from the target", () => {
    expect(picking(...CARRY)).toContain(
      "still held cup_red at the end, 0.30 m off (tolerance 0.05)",
    );
  });

  it("the explanation of a failed pick and place says that the object was in place but touched, moving, or not for long enough", () => {
    const there = { position: [1, 0, 0.8] as const };
    const put = [...CARRY, { ...HELD, ...there, lowestM: 0.755 }];
    expect(picking(...put, { ...there, robotTouches: true })).toContain(
      "cup_red is in place but was not let go of",
    );
    expect(picking(...put, { ...there, speedMps: 0.5 })).toContain(
      "cup_red is in place, but at_rest was 0.500, needs 0.01",
    );
    expect(picking(...put, there, there)).toContain(
      "cup_red was in place, but not for long enough",
    );
  });

  it("the explanation of a failed pick and place says that the physics diverged", () => {
    const error = "the physics diverged: BADQACC at joint lift";
    const text = explained(new PickAndPlaceTask(), [{ stages: {} }, { stages: {}, error }], {
      endReason: "error",
    });
    expect(text).toBe("the physics diverged: BADQACC at joint lift (error after 1 steps)");
    const bare = [{ error: true }];
    expect(explained(new PickAndPlaceTask(), bare)).toContain("the simulation diverged");
  });
});

describe("the explanation of a failed stacking", () => {
  it("the explanation of a failed stacking says how far from the base the object was put", () => {
    const task = new StackingTask({
      goals: {
        target_object: { name: "a" },
        target_location: { object: "b" },
        success_criteria: { type: "stacked", lift_height: 0.04, place_tolerance: 0.035 },
      },
    });
    const steps = [...CARRY, { ...HELD, lowestM: 0.76 }, { position: [0.9, 0, 0.8] as const }];
    const base = { position: [1, 0, 0.8] as const };
    const states = judgedBy(
      task,
      steps.map((step) => observed({ objects: { a: step, b: base } })),
    );
    expect(explained(task, states)).toContain("placed a 0.10 m off (tolerance 0.035)");
  });
});

describe("the explanation of a failed opening", () => {
  const task = new OpeningTask({ goals: { target_fixture: { name: "drawer" } } });
  function opening(...steps: readonly FixtureStep[]): string {
    const states = judgedBy(
      task,
      steps.map((step) => observed({ fixtures: { drawer: step } })),
    );
    return explained(task, states);
  }
  const near = { reachM: 0.03 };
  const held = { ...near, fingersN: [2, 2] as const };

  it("the explanation of a failed opening says how far the fixture is open, and how far it should be", () => {
    expect(opening({}, near, held, held, { ...held, opened: 0.415 })).toBe(
      "drawer 41 % open (needs 75 %) (max_steps after 4 steps)",
    );
    expect(opening({}, near, { opened: 0.7499 })).toContain("drawer 74 % open (needs 75 %)");
  });

  it("the explanation of a failed opening says that the fixture was never reached, grasped or moved", () => {
    expect(opening({}, { reachM: 0.3 })).toContain("never reached drawer: came within 0.30 m");
    expect(opening({}, near)).toContain("reached drawer in step 1 but never grasped it: 0 % open");
    expect(opening({}, near, held, held)).toContain(
      "reached drawer in step 1 but could not move it: 0 % open (needs 75 %)",
    );
  });

  it("the explanation of a failed opening says that the fixture closed again, or did not come to rest", () => {
    expect(opening(near, { opened: 0.8 }, { opened: 0.8 }, { opened: 0.5 })).toContain(
      "drawer 50 % open (needs 75 %); it was open far enough until step 2 and went back",
    );
    expect(opening(near, { opened: 0.8, speed: 0.4 })).toContain(
      "drawer 80 % open but still moving (at_rest was 0.400, needs 0.1)",
    );
    expect(opening(near, { opened: 0.8 })).toContain("drawer 80 % open, but not for long enough");
  });
});

describe("the explanation of a failed custom rule", () => {
  const rule = { hold: { steps: 3, rule: { all: [{ open: { fixture: "d" } }] } } };
  const task = new ManipulationTask({ goals: { success_criteria: { rule } } });
  const text = (...opened: readonly number[]) =>
    explained(
      task,
      judgedBy(
        task,
        opened.map((share) => observed({ fixtures: { d: { opened: share } } })),
      ),
    );

  it("the explanation of a failed custom rule names the condition that does not hold, and the last step at which it held", () => {
    expect(text(0, 0.5)).toBe("open was 0.500, needs 0.75 (max_steps after 1 steps)");
    expect(text(0, 0.8, 0.5)).toContain("open was 0.500, needs 0.75; it held until step 1");
  });

  it("the explanation of a failed custom rule says that all conditions hold, but not for long enough", () => {
    expect(text(0, 0.8)).toContain("all conditions hold, but not for long enough");
  });
});

describe("the explanation of a robot at a joint limit", () => {
  const HOME = [0, 0, 0, 0.5, 0.1, 0, 0.04];
  const at = (dof: number, value: number) => HOME.map((x, i) => (i === dof ? value : x));
  const states = (qpos: readonly number[], count: number): StepState[] =>
    [HOME, ...times(count, qpos)].map((now) => ({ qpos: now }));
  const text = (qpos: readonly number[], count: number, action: Action, config: TaskConfig = {}) =>
    explained(new PickAndPlaceTask(config), states(qpos, count), { action });
  const SENTENCE = "joint limit: lift at 1.10 m for the last 30 steps (max_steps after 31 steps)";

  it("the explanation of a robot at a joint limit names the joint, its position and the number of steps", () => {
    expect(text(at(3, 1.1), 31, at(3, 1.5))).toBe(SENTENCE);
    expect(text(at(3, 1.1), 31, at(3, 1.1))).toBe(SENTENCE);
  });

  it("the explanation of a robot at a joint limit is appended to the explanation of the stages", () => {
    const far = { stages: { reached: false }, target: "cup_red", reach_m: 0.21 };
    const both = states(at(3, 1.1), 31).map((state) => ({ ...state, ...far }));
    expect(explained(new PickAndPlaceTask(), both, { action: at(3, 1.5) })).toBe(
      `never reached cup_red: came within 0.21 m; ${SENTENCE}`,
    );
  });

  it("the explanation of a robot at a joint limit omits a joint that was at its limit briefly or moves away from it", () => {
    expect(text(at(3, 1.1), 10, at(3, 1.5))).toBe("failed after 10 steps (max_steps)");
    expect(text(at(3, 1.1), 31, at(3, 0.5))).toBe("failed after 31 steps (max_steps)");
  });

  it("the explanation of a robot at a joint limit omits a joint that was always at its limit, unless actions push it further", () => {
    const inside = at(4, 0);
    const still = times(40, { qpos: inside });
    const told = (action: Action) => explained(new PickAndPlaceTask(), still, { action });
    expect(told(inside)).toBe("failed after 39 steps (max_steps)");
    expect(told(at(4, -0.2))).toContain("joint limit: arm at 0.00 m for the last 39 steps");
  });

  it("the explanation of a robot at a joint limit omits the gripper, which is at its limit when it is open", () => {
    expect(text(at(6, 0), 31, at(6, -1))).toBe("failed after 31 steps (max_steps)");
  });

  it("the explanation of a robot at a joint limit interprets actions of joint_delta as changes", () => {
    const change = HOME.map((_, i) => (i === 3 ? 0.05 : 0));
    expect(text(at(3, 1.1), 31, change, { control_mode: "joint_delta" })).toBe(SENTENCE);
    const back = HOME.map((_, i) => (i === 3 ? -0.05 : 0));
    expect(text(at(3, 1.1), 31, back, { control_mode: "joint_delta" })).toContain("failed after");
    expect(text(at(3, 1.1), 31, times(7, 0.1), { control_mode: "ee_delta_pose" })).toBe(SENTENCE);
  });

  it("the explanation of a robot at a joint limit uses the joint limits of the config", () => {
    const config = { joint_limits: { lift: [0, 0.7] } };
    expect(text(at(3, 0.7), 31, at(3, 1), config)).toContain("joint limit: lift at 0.70 m");
  });
});

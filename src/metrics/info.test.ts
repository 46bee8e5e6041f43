import { describe, expect, it } from "vitest";
import { makeEpisode, type Step, score, taskUnder } from "../../test/support/nav-task.js";
import type { StepState } from "../core/interfaces/step.js";
import { distance3 } from "../core/math/vec3.js";
import type { StateNeed } from "../core/metric/base.js";
import type { SceneDistance } from "../core/scene/scene-point.js";
import { CompletionRate } from "./manipulation/completion-rate.js";
import { EeFrechet } from "./manipulation/ee-frechet.js";
import { ForceViolations } from "./manipulation/force-violations.js";
import { JointRmse } from "./manipulation/joint-rmse.js";
import { ManipulationSuccess } from "./manipulation/manip-success.js";
import { PartialSuccess } from "./manipulation/partial-success.js";
import { RearrangeSpl } from "./manipulation/rearrange-spl.js";
import { RobotCollisions } from "./manipulation/robot-collisions.js";
import { Smoothness } from "./manipulation/smoothness.js";
import { stageRate } from "./manipulation/stage-rate.js";
import { SuccessOnce } from "./manipulation/success-once.js";
import { TimeToSuccess } from "./manipulation/time-to-success.js";
import { Cls } from "./navigation/cls.js";
import { Collisions } from "./navigation/collisions.js";
import { DistanceToGoal } from "./navigation/distance-to-goal.js";
import { Dtw } from "./navigation/dtw.js";
import { GoalProgress } from "./navigation/goal-progress.js";
import { NavigationError } from "./navigation/navigation-error.js";
import { Ndtw } from "./navigation/ndtw.js";
import { OracleNavigationError } from "./navigation/oracle-navigation-error.js";
import { OracleSuccess } from "./navigation/oracle-success.js";
import { PathLength } from "./navigation/path-length.js";
import { Sdtw } from "./navigation/sdtw.js";
import { SoftSpl } from "./navigation/soft-spl.js";
import { Spl } from "./navigation/spl.js";
import { StepsTaken } from "./navigation/steps-taken.js";
import { NavigationSuccess } from "./navigation/success.js";
import { TrajectorySimilarity } from "./shared/trajectory-similarity.js";

const metrics = {
  success: NavigationSuccess,
  spl: Spl,
  soft_spl: SoftSpl,
  navigation_error: NavigationError,
  distance_to_goal: DistanceToGoal,
  oracle_success: OracleSuccess,
  oracle_navigation_error: OracleNavigationError,
  path_length: PathLength,
  steps_taken: StepsTaken,
  collisions: Collisions,
  dtw: Dtw,
  ndtw: Ndtw,
  sdtw: Sdtw,
  cls: Cls,
  goal_progress: GoalProgress,
  manip_success: ManipulationSuccess,
  success_once: SuccessOnce,
  completion_rate: CompletionRate,
  ee_frechet: EeFrechet,
  joint_rmse: JointRmse,
  smoothness: Smoothness,
  time_to_success: TimeToSuccess,
  trajectory_similarity: TrajectorySimilarity,
  partial_success: PartialSuccess,
  stage_placed: stageRate("placed"),
  rearrange_spl: RearrangeSpl,
  robot_collisions: RobotCollisions,
  force_violations: ForceViolations,
};

/** Six steps of unequal length with every state field: driving to the goal while an arm moves. */
const everything: StepState[] = [0, 1, 3, 4, 6, 9].map((x) => ({
  position: [x, 0, 0],
  distance_to_goal: 9 - x,
  qpos: [x / 10],
  ee_pose: [x / 10, 0, 0.5, 1, 0, 0, 0],
  success: x > 5,
  stages: { reached: x > 2, placed: x > 5 },
  base_pose: [x, 0, 0] as const,
  collision_n: 4 * x,
  target: "cup",
  objects: { cup: { position: [9, 0, x / 10] as const, rotation_wxyz: [1, 0, 0, 0] as const } },
}));
const episode = makeEpisode({
  goals: { position: [9, 0, 0] },
  referenceData: {
    path: [
      [0, 0, 0],
      [9, 0, 0],
    ],
    trajectory: {
      qpos: [[0], [0.9]],
      ee_pose: [
        [0, 0, 0.5],
        [0.9, 0, 0.5],
      ],
    },
  },
});

const straight: SceneDistance = (a, b) => distance3(a.position, b.position);

/** The steps, with only these fields in their states. */
function only(needs: readonly StateNeed[]): Step[] {
  return everything.map((state, i) => ({
    ...(needs.includes("time_s") ? { timeS: i / 10 } : {}),
    state: {
      ...(needs.includes("objects") ? { target: state.target } : {}),
      ...Object.fromEntries(needs.map((need) => [need, state[need]])),
    },
  }));
}

describe.each(Object.entries(metrics))("%s", (name, Metric) => {
  const { info } = new Metric();
  const setting = {
    task: taskUnder("design"),
    episode,
    context: info.needs.distance ? { distance: straight } : {},
  };

  it("a metric has the name that it is registered under", () => {
    expect(info.name).toBe(name);
    expect(new Metric().metricName).toBe(name);
  });

  it("a metric gives a value in its range from only the state fields that it declares", () => {
    const value = score(new Metric(), only(info.needs.state), setting);
    expect(value).not.toBeNull();
    expect(value).toBeGreaterThanOrEqual(info.range[0]);
    expect(value).toBeLessThanOrEqual(info.range[1]);
  });

  it.each(info.needs.state.map((need) => [need]))("a metric throws when %s is missing", (need) => {
    const rest = info.needs.state.filter((other) => other !== need);
    expect(() => score(new Metric(), only(rest), setting)).toThrow(`needs ${need}`);
  });

  it("a metric is of kind rate only if its values are 0 and 1", () => {
    const rates = ["success", "oracle_success", "manip_success", "success_once", "stage_placed"];
    expect(info.kind).toBe(rates.includes(name) ? "rate" : "mean");
  });
});

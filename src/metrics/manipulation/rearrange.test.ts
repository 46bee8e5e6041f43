import { describe, expect, it } from "vitest";
import { makeEpisode, type Step, score, taskUnder } from "../../../test/support/nav-task.js";
import type { StepState } from "../../core/interfaces/step.js";
import type { BaseMetric } from "../../core/metric/base.js";
import { ForceViolations } from "./force-violations.js";
import { PartialSuccess } from "./partial-success.js";
import { RearrangeSpl } from "./rearrange-spl.js";
import { RobotCollisions } from "./robot-collisions.js";
import { stageRate } from "./stage-rate.js";

const setting = { task: taskUnder("design"), episode: makeEpisode({}) };

function scored(metric: BaseMetric, states: readonly StepState[], distance = manhattan) {
  const steps: Step[] = states.map((state) => ({ state }));
  return score(metric, steps, { ...setting, context: { distance } });
}

/** As between the walls of corridors along both axes of the floor. */
function manhattan(
  { position: a }: { readonly position: readonly [number, number, number] },
  { position: b }: { readonly position: readonly [number, number, number] },
): number {
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);
}

const stages = (...reached: readonly string[]): StepState => ({
  stages: Object.fromEntries(
    ["find_object", "pick", "find_receptacle", "place"].map((name) => [
      name,
      reached.includes(name),
    ]),
  ),
});

describe("partial_success", () => {
  it("partial_success is the share of stages that held at any record, in any order", () => {
    const states = [stages(), stages("find_object"), stages("pick", "find_receptacle"), stages()];
    expect(scored(new PartialSuccess(), states)).toBe(0.75);
    expect(scored(new PartialSuccess(), [stages()])).toBe(0);
  });

  it("partial_success is null without stages", () => {
    expect(scored(new PartialSuccess(), [{ stages: {} }])).toBeNull();
  });
});

describe("a stage's rate", () => {
  it("a stage rate is 1 if the stage held at any record", () => {
    const Pick = stageRate("pick");
    expect(scored(new Pick(), [stages(), stages("pick"), stages()])).toBe(1);
    expect(scored(new Pick(), [stages("find_object")])).toBe(0);
  });

  it("a stage rate is null for an episode without that stage", () => {
    const Pick = stageRate("pick");
    expect(scored(new Pick(), [{ stages: { grasped: true } }])).toBeNull();
  });
});

describe("rearrange_spl", () => {
  /** The object is carried along with the base from its third place on. */
  function way(path: readonly (readonly [number, number])[], success = true): StepState[] {
    return path.map(([x, y], i) => ({
      base_pose: [x, y, 0],
      target: "mug",
      objects: {
        mug: { position: i < 2 ? [3, 4, 0.9] : [x, y, 0.8], rotation_wxyz: [1, 0, 0, 0] },
      },
      success: success && i === path.length - 1,
    }));
  }

  const straight: typeof manhattan = ({ position: a }, { position: b }) =>
    Math.hypot(a[0] - b[0], a[2] - b[2]);

  /** The object starts 5 m away and is put 10 m beyond; the arm reaches 1.05 m. */
  const path = [
    [0, 0],
    [2.4, 3.2],
    [2.4, 3.2],
    [12, 4],
  ] as const;
  const shortest = 3.95 + (10 - 2 * 1.05);

  it("rearrange_spl is 1 if the base need not move and does not", () => {
    const standing = [
      [3, 3.5],
      [3, 3.5],
      [3, 3.5],
    ] as const;
    expect(scored(new RearrangeSpl(), way(standing), straight)).toBe(1);
  });

  it("rearrange_spl falls with detours and is 0 without success", () => {
    const efficient = scored(new RearrangeSpl(), way(path), straight) ?? 0;
    const detour = [...path.slice(0, 3), [2.4, 23.2], [2.4, 3.2], [12, 4]] as const;
    const wasteful = scored(new RearrangeSpl(), way(detour), straight) ?? 0;
    const pathM = 4 + Math.hypot(9.6, 0.8);
    expect(efficient).toBeGreaterThan(shortest / pathM - 0.1);
    expect(efficient).toBeLessThan(1);
    expect(wasteful).toBeCloseTo((efficient * pathM) / (pathM + 40), 9);
    expect(scored(new RearrangeSpl(), way(detour, false), straight)).toBe(0);
  });

  it("rearrange_spl is null where no way leads to the object", () => {
    const none = () => Number.POSITIVE_INFINITY;
    expect(
      scored(
        new RearrangeSpl(),
        way([
          [0, 0],
          [3, 4],
        ]),
        none,
      ),
    ).toBeNull();
  });

  it("rearrange_spl converts MuJoCo axes to those of the scene", () => {
    const asked: (readonly number[])[] = [];
    const spy: typeof manhattan = (a) => {
      asked.push(a.position);
      return 1;
    };
    scored(
      new RearrangeSpl(),
      way([
        [10, 20],
        [3, 4],
        [5, 6],
      ]),
      spy,
    );
    expect(asked).toContainEqual([10, 0, -20]);
    // A place 1.05 m from the object, which starts at (3, 4).
    expect(asked).toContainEqual([expect.closeTo(4.05, 9), 0, expect.closeTo(-4, 9)]);
  });
});

describe("robot_collisions and force_violations", () => {
  const states = [0, 0.9, 1, 19, 20, 500, 0].map((collision_n) => ({ collision_n }));

  it("robot_collisions and force_violations count the steps at their force or above", () => {
    expect(scored(new RobotCollisions(), states)).toBe(4);
    expect(scored(new ForceViolations(), states)).toBe(2);
    expect(scored(new ForceViolations({ force_n: 100 }), states)).toBe(1);
  });

  it("robot_collisions and force_violations reject settings that they do not have", () => {
    expect(() => new RobotCollisions({ force: 5 })).toThrow(
      expect.objectContaining({ where: "metric_config.robot_collisions" }),
    );
    expect(() => new ForceViolations({ force_n: 0 })).toThrow(/force_violations/);
  });
});

import { describe, expect, it } from "vitest";
import { BaseEpisode } from "../../core/episode/base.js";
import { Random } from "../../core/math/random.js";
import { isRecord } from "../../core/record.js";
import { STRETCH } from "../../robots/stretch.js";
import { MANIPULATION_MAKERS, type ManipulationTaskType } from "./draw.js";
import type { Reach } from "./robot-reach.js";

const EVERYWHERE: Reach = { openingM: 0.08, styles: ["level"], canReach: () => true };
const NOWHERE: Reach = { ...EVERYWHERE, canReach: () => false };
const TASKS = Object.keys(MANIPULATION_MAKERS) as ManipulationTaskType[];

/** Draws `count` times; returns all draws and the valid episodes. */
function draws(task: ManipulationTaskType, count: number, reach: Reach = EVERYWHERE) {
  const all = Array.from({ length: count }, (_, i) => {
    return MANIPULATION_MAKERS[task](STRETCH, new Random(i), `e${i}`, reach);
  });
  const episodes = all.flatMap((drawn) => ("refused" in drawn ? [] : [new BaseEpisode(drawn)]));
  return { all, episodes };
}

interface SceneObject {
  readonly name: string;
  readonly shape: string;
  readonly size: readonly [number, number, number];
  readonly position: readonly [number, number, number];
  readonly yaw: number;
}

function objectsOf(episode: BaseEpisode): readonly SceneObject[] {
  return episode.taskConfig.scene_objects as readonly SceneObject[];
}

function targetOf(episode: BaseEpisode): SceneObject {
  const { target_object } = episode.goals;
  const name = isRecord(target_object) ? target_object.name : undefined;
  const found = objectsOf(episode).find((object) => object.name === name);
  if (!found) throw new Error(`${String(name)} is not in the scene`);
  return found;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

describe.each(TASKS)("drawn %s episodes", (task) => {
  it("the same seed gives the same episode", () => {
    const once = MANIPULATION_MAKERS[task](STRETCH, new Random(7), "a", EVERYWHERE);
    expect(MANIPULATION_MAKERS[task](STRETCH, new Random(7), "a", EVERYWHERE)).toEqual(once);
    expect(MANIPULATION_MAKERS[task](STRETCH, new Random(8), "a", EVERYWHERE)).not.toEqual(once);
  });

  it("at least a third of all draws give an episode", () => {
    expect(draws(task, 60).episodes.length).toBeGreaterThan(20);
  });

  it("draws out of reach are rejected with that reason", () => {
    const { all, episodes } = draws(task, 30, NOWHERE);
    expect(episodes).toEqual([]);
    const reasons = all.map((drawn) => ("refused" in drawn ? drawn.refused : ""));
    expect(reasons).toContain("out of reach");
  });

  it("every drawn episode has an instruction", () => {
    for (const { instruction } of draws(task, 20).episodes) {
      expect(instruction.text).toMatch(/^(Pick up the|Pull|Open) .*\.$/);
    }
  });
});

describe.each(["pick_place", "stacking"] as const)("objects of %s episodes", (task) => {
  const { episodes } = draws(task, 150);

  it("objects are spread by more than 5 cm and have any orientation", () => {
    const targets = episodes.map(targetOf);
    expect(deviation(targets.map(({ position }) => position[0]))).toBeGreaterThan(0.05);
    expect(deviation(targets.map(({ position }) => position[1]))).toBeGreaterThan(0.05);
    expect(deviation(targets.map(({ yaw }) => yaw))).toBeGreaterThan(1.5);
  });

  it("objects have at least five shapes, each at least 6 cm tall and narrow enough to grasp", () => {
    const targets = episodes.map(targetOf);
    expect(new Set(targets.map(({ shape }) => shape)).size).toBeGreaterThanOrEqual(5);
    for (const { size } of targets) {
      expect(size[2]).toBeGreaterThanOrEqual(0.06);
      expect(Math.min(size[0], size[1])).toBeLessThan(0.07);
    }
  });

  it("objects are on the table with unique names, including one to three distractors", () => {
    for (const episode of episodes) {
      const objects = objectsOf(episode);
      const asked = task === "stacking" ? 2 : 1;
      expect(objects.length).toBeLessThanOrEqual(asked + 3);
      expect(new Set(objects.map(({ name }) => name)).size).toBe(objects.length);
      const { table } = episode.taskConfig;
      const top = isRecord(table) && Array.isArray(table.position) ? table.position[2] : undefined;
      for (const { position, size } of objects) {
        expect(position[2] - size[2] / 2).toBeCloseTo(top, 3);
      }
    }
    const alone = episodes.filter((one) => objectsOf(one).length < (task === "stacking" ? 3 : 2));
    expect(alone.length).toBeLessThan(episodes.length / 10);
  });
});

describe("target location", () => {
  it("the target location is at least 15 cm away, at the height of the object centre", () => {
    for (const episode of draws("pick_place", 60).episodes) {
      const { target_location } = episode.goals;
      const to = isRecord(target_location) ? (target_location.position as number[]) : [];
      const { position } = targetOf(episode);
      const away = Math.hypot((to[0] ?? 0) - position[0], (to[1] ?? 0) - position[1]);
      expect(away).toBeGreaterThanOrEqual(0.15);
      expect(to[2]).toBeCloseTo(position[2], 3);
    }
  });
});

describe("drawn fixtures", () => {
  it("fixtures are drawers and doors in about equal parts, with different ranges and heights", () => {
    const fixtures = draws("opening", 100).episodes.flatMap(({ taskConfig }) => {
      return taskConfig.fixtures as { kind: string; range: number; position: number[] }[];
    });
    const drawers = fixtures.filter(({ kind }) => kind === "drawer");
    expect(drawers.length / fixtures.length).toBeGreaterThan(0.35);
    expect(drawers.length / fixtures.length).toBeLessThan(0.65);
    expect(deviation(fixtures.map(({ position }) => position[2] ?? 0))).toBeGreaterThan(0.08);
    expect(deviation(drawers.map(({ range }) => range))).toBeGreaterThan(0.02);
  });
});

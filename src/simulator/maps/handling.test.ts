import { describe, expect, it } from "vitest";
import { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import { handlingOf, isDrive, stepOf } from "./handling.js";
import { INK } from "./palette.js";
import { topDownSvg } from "./top-down.js";
import { TWO_ROOMS } from "./two-rooms.fixture.js";

const at = (x: number, y: number, more: StepState = {}): StepState => ({
  base_pose: [x, y, Math.PI / 2],
  objects: { mug: { position: [x, y, 0.9], rotation_wxyz: [1, 0, 0, 0] } },
  ...more,
});
const records = [at(1, -1), at(2, -1, { carried: 1 }), at(3, -1, { carried: 1 })].map(
  (state, step): StepRecord => ({ step, time_s: step / 20, action: null, state }),
);
const episode = new BaseEpisode({
  episodeId: "1",
  taskType: "rearrange",
  sceneId: "apartment/1",
  goals: {
    target_object: { name: "mug" },
    start_receptacle: { name: "table" },
    target_location: { receptacle: "bed" },
  },
});

describe("the way of a robot that drives", () => {
  it("the way of a robot that drives is converted to the axes of the scene: +y of MuJoCo is straight ahead", () => {
    expect(stepOf(at(1, 2, { carried: 1 }))).toEqual({
      position: [1, 0, -2],
      headingRad: 0,
      collided: false,
      loaded: true,
    });
    expect(stepOf({ qpos: [] })).toBeUndefined();
  });

  it("the way of a robot that drives differs from the way of a navigation agent", () => {
    expect(isDrive(records)).toBe(true);
    expect(isDrive([{ step: 0, time_s: 0, action: null, state: { position: [0, 0, 0] } }])).toBe(
      false,
    );
  });

  it("the way of a robot that drives has the positions of the object and the names of the furniture", () => {
    expect(handlingOf(episode, records)).toEqual({
      objectStart: [1, 0.9, 1],
      objectEnd: [3, 0.9, 1],
      startReceptacle: "table",
      goalReceptacle: "bed",
    });
    expect(handlingOf(episode, [])).toBeUndefined();
  });
});

describe("a map of an object that was carried", () => {
  const furniture = TWO_ROOMS.model?.instances ?? [];
  const named = (category: string) => furniture.find((one) => one.category === category)?.name;
  const handling = {
    objectStart: [2, 0.9, 1],
    objectEnd: [5, 0.6, 1],
    startReceptacle: named("table"),
    goalReceptacle: named("bed"),
  } as const;
  const taken = (TWO_ROOMS.taken ?? []).map((step, i) => ({ ...step, loaded: i > 1 }));
  const { goals: _goals, viewPoints: _viewPoints, ...rooms } = TWO_ROOMS;
  const svg = topDownSvg({ ...rooms, taken, handling });

  it("a map of an object that was carried explains the way with and without the object and both pieces of furniture", () => {
    for (const words of [
      "path without the object",
      "path with the object",
      "object at first",
      "object at last",
      "start receptacle",
      "goal receptacle",
    ])
      expect(svg).toContain(`aria-label="${words}"`);
    expect(svg.split(`stroke="${INK.load}"`)).toHaveLength(3);
  });

  it("a map of an object that was carried has no such symbols without an object", () => {
    const plain = topDownSvg(rooms);
    expect(plain).not.toContain(INK.load);
    expect(plain).toContain(`aria-label="path taken"`);
  });
});

import { expect, it } from "vitest";
import { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import { thumbnailSvg } from "./thumbnail.js";

function draw(
  states: readonly StepState[],
  path: readonly [number, number, number][] = [],
): string {
  const episode = new BaseEpisode({
    episodeId: "1",
    taskType: "vln",
    sceneId: "hall",
    ...(path.length > 0
      ? { goals: { position: path.at(-1) }, referenceData: { path: [...path] } }
      : {}),
  });
  const records: StepRecord[] = states.map((state, step) => ({ step, action: null, state }));
  return thumbnailSvg({ episode, records, version: 2 });
}

it("a thumbnail shows the path, the reference and the goal", () => {
  const svg = draw(
    [{ position: [0, 0, 0] }, { position: [3, 0, 0] }],
    [
      [0, 0, 0],
      [4, 0, -2],
    ],
  );
  expect(svg.match(/<polyline/g)?.length).toBe(2);
  expect(svg.match(/<circle/g)?.length).toBe(2);
  expect(svg).toContain('viewBox="0 0 96 64"');
});

it("a thumbnail stays small for a long episode", () => {
  const states = Array.from({ length: 20_000 }, (_, i) => ({ position: [i, 0, i] as const }));
  expect(draw(states).length).toBeLessThan(4000);
});

it("a thumbnail has a band for each condition, filled while it holds", () => {
  const states = [false, true, true, false, true].map((holds) => ({
    conditions: [{ name: "grasped", value: 0, threshold: 1, holds }],
  }));
  // The band itself, and two ranges.
  expect(draw(states).match(/<rect/g)?.length).toBe(3);
});

it("a thumbnail of an episode without data is empty", () => {
  expect(draw([{}])).toContain("<svg");
  expect(draw([{ position: [1, 0, 1] }])).not.toContain("NaN");
});

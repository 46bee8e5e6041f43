import { describe, expect, it } from "vitest";
import type { EpisodeDocument } from "../../../src/server/view/documents.js";
import { runs } from "./draw.js";
import { bandsOf, conditionPlots, plotsOf } from "./series.js";

type Records = EpisodeDocument["records"];

function plots(records: Records, radius?: number) {
  const episode = { goals: radius === undefined ? {} : { radius } } as EpisodeDocument["episode"];
  const dimensions = { action: ["lift"], qpos: [] };
  return plotsOf({ records, episode, dimensions } as unknown as EpisodeDocument);
}

describe("the plots of an episode's records", () => {
  it("the plots of episode records show named actions as categories without their arguments", () => {
    const [action] = plots([
      { step: 0, action: null, state: {} },
      { step: 1, action: "goto:kitchen", state: {} },
      { step: 2, action: "stop", state: {} },
    ]);
    expect(action).toMatchObject({ id: "action", stepped: true, categories: ["goto", "stop"] });
    expect(action?.series[0]?.values).toEqual([null, 0, 1]);
  });

  it("the plots of episode records show vector actions as numbers, even if the last action is stop", () => {
    const [action] = plots([
      { step: 0, action: null, state: {} },
      { step: 1, action: [0.1, 0.2], state: {} },
      { step: 2, action: [0.3, 0.4], state: {} },
      { step: 3, action: "stop", state: {} },
    ]);
    expect(action?.categories).toBeNull();
    // The second dimension has no name.
    expect(action?.series.map(({ name }) => name)).toEqual(["lift", "1"]);
    expect(action?.series.map(({ values }) => values)).toEqual([
      [null, 0.1, 0.3, null],
      [null, 0.2, 0.4, null],
    ]);
  });

  it("the plots of episode records show the distance with the radius as threshold, and gaps where the goal is unreachable", () => {
    const records: Records = [
      { step: 0, action: null, state: { distance_to_goal: 4 } },
      // Infinity is null on disk.
      { step: 1, action: null, state: JSON.parse('{"distance_to_goal":null}') },
    ];
    expect(plots(records, 3)).toMatchObject([
      { id: "distance_to_goal", threshold: 3, series: [{ values: [4, null] }] },
    ]);
  });

  it("the plots of episode records include numbers of plugins", () => {
    expect(plots([{ step: 0, action: null, state: { tilt: 0.5 } }])).toMatchObject([
      { id: "tilt" },
    ]);
  });

  it("the plots of episode records are empty without records", () => {
    expect(plots([])).toEqual([]);
    expect(conditionPlots([])).toEqual([]);
    expect(bandsOf([])).toEqual([]);
  });
});

describe("the plots of conditions and stages", () => {
  const condition = (value: number, holds: boolean) => ({
    name: "lifted",
    value,
    threshold: 0.1,
    holds,
  });
  const records: Records = [
    { step: 0, action: null, state: { conditions: [condition(0, false)], stages: { up: false } } },
    { step: 1, action: null, state: { conditions: [condition(0.2, true)], stages: { up: true } } },
  ];

  it("the plots of conditions and stages show value, threshold and where they hold", () => {
    expect(conditionPlots(records)).toMatchObject([
      { name: "lifted", threshold: 0.1, holds: [false, true], series: [{ values: [0, 0.2] }] },
    ]);
    expect(bandsOf(records)).toEqual([{ name: "up", holds: [false, true] }]);
  });

  it("the plots of conditions and stages are shaded over runs of records in which they hold", () => {
    const found: number[][] = [];
    runs([true, false, true, true], (from, to) => found.push([from, to]));
    expect(found).toEqual([
      [0, 0],
      [2, 3],
    ]);
  });
});

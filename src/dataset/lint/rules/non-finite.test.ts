import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { nonFinite } from "./non-finite.js";

describe("non_finite", () => {
  it.each([
    ["task_config.scale[1]", { taskConfig: { scale: [1, Number.NaN] } }],
    ["task_config.a.b", { taskConfig: { a: { b: Number.POSITIVE_INFINITY } } }],
    [
      "start_state.extra[0]",
      { startState: { position: [0, 0, 0] as const, extra: [Number.NEGATIVE_INFINITY] } },
    ],
    ["task_config.states[1]", { taskConfig: { states: Float64Array.of(0, Number.NaN) } }],
  ])("non_finite finds a non-finite number at %s", (field, changes) => {
    expect(problemsOf(nonFinite, soundEpisode(changes))).toMatchObject([{ field }]);
  });

  it("non_finite reports nothing for finite numbers, strings and null", () => {
    const taskConfig = { a: null, b: undefined, c: "NaN", d: [1, [2.5, -0]] };
    expect(problemsOf(nonFinite, [soundEpisode(), soundEpisode({ taskConfig })])).toEqual([]);
  });

  it("non_finite leaves shortest distances to the geodesic_distance rule", () => {
    const taskConfig = { geodesic_distance: Number.POSITIVE_INFINITY };
    expect(problemsOf(nonFinite, soundEpisode({ taskConfig }))).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EpisodeRow } from "../../../src/server/view/documents.js";
import { episodeLanguage, orderEpisodes } from "./episodes.js";
import { matcherOf, namesOf } from "./match.js";
import { parseFilter } from "./parse.js";

const language = episodeLanguage(["spl", "success"]);

const base: EpisodeRow = {
  id: "vln-1-0",
  key: "vln/1",
  repeat: 0,
  task: "vln",
  scene: "apartment/12",
  outcome: "failure",
  fault: null,
  end_reason: "max_steps",
  metrics: { spl: 0.25, success: 0 },
  steps: 500,
  wall_ms: 900,
  latency_p50_ms: null,
  explanation: "It circled in the Kitchen.",
  recorded: true,
  video: null,
};

const rows: readonly EpisodeRow[] = [
  { ...base, key: "vln/0", outcome: "success", end_reason: "stop", metrics: { spl: 0.9 } },
  base,
  { ...base, key: "vln/2", outcome: "invalid", metrics: { spl: null }, scene: "house/1" },
];

function found(filter: string): string[] {
  const { terms } = parseFilter(filter, namesOf(language));
  return rows.filter(matcherOf(terms, language)).map(({ key }) => key);
}

function firstError(filter: string) {
  return parseFilter(filter, namesOf(language)).errors[0];
}

describe("a filter of episodes", () => {
  it("a filter of episodes matches every row when it is empty", () => {
    expect(found("  ")).toHaveLength(3);
  });

  it("a filter of episodes combines fields, bounds and words", () => {
    expect(
      found("outcome:failure scene:apartment/1* spl<0.5 end:max_steps kitchen task:vln"),
    ).toEqual(["vln/1"]);
  });

  it("a filter of episodes reads a comma as or, and a minus or != as not", () => {
    expect(found("outcome:failure,invalid")).toEqual(["vln/1", "vln/2"]);
    expect(found("-outcome:failure")).toEqual(["vln/0", "vln/2"]);
    expect(found("outcome!=failure")).toEqual(["vln/0", "vln/2"]);
    expect(found("-circled")).toEqual([]);
  });

  it("a filter of episodes compares whole values without case, unless there is a star", () => {
    expect(found("scene:apartment")).toEqual([]);
    expect(found("scene:APARTMENT/*")).toEqual(["vln/0", "vln/1"]);
    expect(found("end:max.steps")).toEqual([]);
  });

  it("a filter of episodes matches no bound where a number is missing, and finds missing numbers by none", () => {
    expect(found("spl>=0")).toEqual(["vln/0", "vln/1"]);
    expect(found("spl=none")).toEqual(["vln/2"]);
    expect(found("spl!=none")).toEqual(["vln/0", "vln/1"]);
  });

  it("a filter of episodes finds quoted words with spaces and signs in them", () => {
    expect(found('"in the kitchen"')).toHaveLength(3);
    expect(found('"task:nothing"')).toEqual([]);
  });

  it("a filter of episodes names the invalid token, and suggests a correction", () => {
    expect(firstError("outcom:failure")).toMatchObject({
      code: "unknown_field",
      field: "outcom",
      nearest: "outcome",
    });
    expect(firstError("spl<abc")).toMatchObject({ code: "not_a_number" });
    expect(firstError("spl<none")).toMatchObject({ code: "not_a_number" });
    expect(firstError("spl<")).toMatchObject({ code: "no_value" });
    expect(firstError("scene<3")).toMatchObject({ code: "not_comparable" });
    expect(firstError('"half')).toMatchObject({ code: "open_quote" });
  });

  it("a filter of episodes parses any text without throwing", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => found(text)).not.toThrow();
      }),
    );
  });
});

describe("the order of episodes", () => {
  it("the order of episodes has failures first, then invalid episodes", () => {
    const order = { column: "outcome", descending: false };
    expect(orderEpisodes(rows, order).map(({ outcome }) => outcome)).toEqual([
      "failure",
      "invalid",
      "success",
    ]);
  });

  it("the order of episodes has rows without a value last in both directions", () => {
    for (const descending of [true, false])
      expect(orderEpisodes(rows, { column: "spl", descending }).at(-1)?.key).toBe("vln/2");
  });
});

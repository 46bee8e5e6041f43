import { describe, expect, it } from "vitest";
import type { RunCard } from "../../../src/server/view/documents.js";
import { matcherOf, namesOf } from "./match.js";
import { parseFilter } from "./parse.js";
import { runLanguage } from "./runs.js";

const card = (id: string, more: Partial<RunCard>): RunCard => ({
  id,
  benchmark: "b",
  agent: "ws://localhost:8000",
  kind: "run",
  status: "done",
  started_at: "",
  finished_at: null,
  seed: 0,
  headlines: [],
  episodes: { total: 0, success: 0, failure: 0, invalid: 0 },
  planned: null,
  warnings: 0,
  ...more,
});

const runs = [
  card("one", {
    name: "before the fix",
    tags: { suite: "night" },
    policies: { vln: { name: "openvla", version: "7b", checkpoint: "step-1000" } },
    policy: "openvla 7b, checkpoint step-1000",
  }),
  card("two", {
    policies: { vln: { name: "openvla", version: "7b", checkpoint: "step-2000" } },
    policy: "openvla 7b, checkpoint step-2000",
  }),
  card("old", {}),
];

function kept(filter: string): string[] {
  const { terms, errors } = parseFilter(filter, namesOf(runLanguage));
  expect(errors).toEqual([]);
  return runs.filter(matcherOf(terms, runLanguage)).map(({ id }) => id);
}

describe("the filter of runs", () => {
  it.each([
    ["checkpoint:step-1000", ["one"]],
    ["policy:openvla", ["one", "two"]],
    ["tag:suite=night", ["one"]],
    ["name:before*", ["one"]],
    ["-policy:openvla", ["old"]],
    ["step-2000", ["two"]],
    ["agent:ws*", ["one", "two", "old"]],
  ])("the filter of runs finds runs by %s", (filter, ids) => {
    expect(kept(filter)).toEqual(ids);
  });
});

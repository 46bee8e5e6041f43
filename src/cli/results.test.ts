import { describe, expect, it } from "vitest";
import { episodeLine } from "../../test/support/cli.js";
import type { EpisodeLine, RunSummary } from "../core/interfaces/result.js";
import type { MetricInfo } from "../core/metric/base.js";
import { Summariser } from "../runs/summary/summary.js";
import { resultText, whereText } from "./results.js";

const success: MetricInfo = {
  name: "success",
  summary: "",
  unit: "1",
  direction: "higher",
  range: [0, 1],
  kind: "rate",
  needs: { state: [] },
};
const error: MetricInfo = { ...success, name: "error", unit: "m", kind: "mean" };

function summaryOf(lines: readonly EpisodeLine[], names: readonly string[] = ["vln"]): RunSummary {
  const task = { profile: "r2r", primaryMetric: "success", metrics: [success, error] };
  const summariser = new Summariser({
    runId: "r",
    benchmark: "small world",
    agent: "random",
    seed: 0,
    tasks: Object.fromEntries(names.map((name) => [name, task])),
  });
  for (const line of lines) summariser.add(line);
  return summariser.finish("done");
}

function text(lines: readonly EpisodeLine[], names?: readonly string[]): string {
  return resultText(summaryOf(lines, names));
}

const won = episodeLine({ metrics: { success: 1, error: 2 } });
const broken = episodeLine({ fault: "agent", metrics: { success: 0, error: 4 } });
const invalid = (id: number, message = "nothing here serves it") =>
  episodeLine({
    episode_id: String(id),
    outcome: "invalid",
    fault: "platform",
    error: { code: "no_simulator", message },
  });

describe("text of a run's results", () => {
  it("the text of run results has one table per task with n and interval", () => {
    expect(text([won, won]).split("\n")).toEqual([
      "small world · agent random",
      "2 episodes: 2 success, 0 failure, 0 invalid",
      "",
      "vln (profile r2r)",
      "  metric    mean  95 % interval   n  unit",
      "  success  1.000  [0.342, 1.000]  2",
      "  error    2.000  –               2  m",
    ]);
  });

  it("the text of run results says that a partial score is not of the whole dataset", () => {
    const summary = { ...summaryOf([won, won]), partial: { scored: 2, of: 1021 } };
    expect(resultText(summary).split("\n").slice(1, 3)).toEqual([
      "2 of 1021 episodes (partial): 2 success, 0 failure, 0 invalid",
      "partial: 1019 episodes have no prediction and are not in these numbers",
    ]);
  });

  it("the text of run results says of how many episodes the run is a part", () => {
    const summary = { ...summaryOf([won, won]), selected: { episodes: 2, of: 50 } };
    expect(resultText(summary)).toContain("2 of 50 episodes: 2 success");
    expect(resultText({ ...summary, repeats: 2 })).toContain(
      "2 episodes (2 runs of each, 2 of 50 were selected): 2 success",
    );
  });

  it("the text of run results lists failures caused by the agent, with the reason", () => {
    const raised = { code: "policy_error", message: "ValueError: no such joint" };
    const said = text([won, episodeLine({ ...broken, outcome: "failure", error: raised })]);
    expect(said).toContain("1 failure because the agent broke off");
    expect(said).toContain("agent fault, policy_error: ValueError: no such joint");
  });

  it("the text of run results lists invalid episodes with the reason", () => {
    const said = text([won, invalid(1)]);
    expect(said).toContain("1 invalid not counted");
    expect(said).toContain("vln/hall/1: platform fault, no_simulator: nothing here serves it");
  });

  it("the text of run results shows the reason of many invalid episodes once", () => {
    const said = text(Array.from({ length: 12 }, (_, i) => invalid(i)));
    expect(said).toContain("vln/hall/0 and 11 more: platform fault, no_simulator: nothing here");
    expect(said).not.toContain("episodes.jsonl");
  });

  it("the text of run results shows only a few reasons of invalid episodes", () => {
    const said = text(Array.from({ length: 12 }, (_, i) => invalid(i, `reason ${i}`)));
    expect(said.match(/platform fault/g)).toHaveLength(5);
    expect(said).toContain("and 7 more, in episodes.jsonl");
  });

  it("the text of run results shows the rate without agent faults next to the rate with them", () => {
    expect(text([won, broken])).toMatch(/success +0\.500 .* 1\.000 without agent faults/);
  });

  it("the text of run results has a table over all tasks if they share metrics", () => {
    const said = text([won, { ...broken, task: "nav" }], ["vln", "nav"]);
    expect(said).toContain("all tasks, each weighing the same");
    expect(text([won])).not.toContain("all tasks");
  });

  it("the text of run results shows a dash for a missing value", () => {
    expect(text([])).toMatch(/success +– +– +0/);
  });
});

it("the text of run results ends with the run directory and the command to view it", () => {
  const summary = new Summariser({ runId: "r", benchmark: "b", agent: "a", seed: 0, tasks: {} });
  const results = { ...summary.finish("done"), run_dir: "runs/r" };
  expect(whereText(results)).toBe("run directory: runs/r   look at it: robot-eval view runs");
  expect(whereText({ ...results, run_dir: null })).toBe("nothing was written");
});

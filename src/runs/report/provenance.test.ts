import { describe, expect, it } from "vitest";
import { runInfo } from "../../../test/support/cli.js";
import { commands } from "./provenance.js";

describe("commands", () => {
  it("the shown command repeats a run with its benchmark, agent, seed, overrides and selection", () => {
    const info = runInfo({
      benchmark: { name: "x", sha256: "", file: "my bench.yaml", set: ["evaluation.max_steps=5"] },
      agent: "vln=random",
      seed: 7,
      selection: { limit: 3, filter: "scene=h*", shard: "1/2" },
      data: { vln: { episodes: 3, of: 9, sha256: "" } },
    });
    expect(commands(info, "runs/a")).toEqual([
      "robot-eval run 'my bench.yaml' --agent vln=random --seed 7 --set evaluation.max_steps=5 --limit 3 --filter 'scene=h*' --shard 1/2",
      "robot-eval replay runs/a",
    ]);
  });

  it("the shown command repeats the limit of a run by an earlier version with the first episodes", () => {
    const data = { vln: { episodes: 3, sha256: "" } };
    const info = runInfo({ selection: { limit: 3 }, data });
    expect(commands(info, "runs/a")[0]).toMatch(/--seed 0 --first 3$/);
  });

  it("the shown command uses the copy of the benchmark in the run when the benchmark did not come from a file", () => {
    expect(commands(runInfo(), "runs/a")[0]).toContain("robot-eval run runs/a/benchmark.yaml");
  });

  it("the shown command repeats the score command for a scored run", () => {
    const source = { submission: "p.json", dataset: "d.json", format: "ndh" };
    expect(commands(runInfo({ kind: "score", source }), "runs/a")).toEqual([
      "robot-eval score p.json --dataset d.json --format ndh",
    ]);
    const partial = { scored: 1, of: 3 };
    expect(commands(runInfo({ kind: "score", source, partial }), "runs/a")).toEqual([
      "robot-eval score p.json --dataset d.json --format ndh --partial",
    ]);
  });
});

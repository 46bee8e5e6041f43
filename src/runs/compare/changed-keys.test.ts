import { describe, expect, it } from "vitest";
import { runInfo } from "../../../test/support/cli.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { changedKeys } from "./changed-keys.js";

const changed = (a: Partial<RunInfo>, b: Partial<RunInfo>) => changedKeys(runInfo(a), runInfo(b));

describe("changedKeys", () => {
  it("changedKeys lists each changed key by its path in run.json with both values", () => {
    expect(
      changed(
        {
          agent: "old",
          config: { evaluation: { max_steps: 500, repeats: 1 }, vln_task: { metrics: ["a"] } },
          versions: { node: "20.1.0", robot_eval: "1.0.0" },
        },
        {
          agent: "new",
          config: { evaluation: { max_steps: 100, repeats: 1 }, vln_task: { metrics: ["a", "b"] } },
          versions: { node: "22.0.0", robot_eval: "1.0.0" },
          disclosed: { vln: ["goals"] },
        },
      ),
    ).toEqual([
      { key: "agent", a: "old", b: "new" },
      { key: "disclosed.vln", b: ["goals"] },
      { key: "config.evaluation.max_steps", a: 500, b: 100 },
      { key: "config.vln_task.metrics", a: ["a"], b: ["a", "b"] },
      { key: "versions.node", a: "20.1.0", b: "22.0.0" },
    ]);
  });

  it("changedKeys returns nothing for equal runs, regardless of key order", () => {
    const config = { x: { a: 1, b: 2 } };
    expect(changed({ config }, { config: { x: { b: 2, a: 1 } } })).toEqual([]);
  });

  it("changedKeys ignores output settings and lists the agent and the seed once", () => {
    expect(
      changed(
        {
          seed: 1,
          config: { agent: "a", evaluation: { seed: 1 }, output: { log_dir: "x", video: "all" } },
        },
        { config: { agent: "b", evaluation: { seed: 2 }, output: { log_dir: "y" } } },
      ),
    ).toEqual([{ key: "seed", a: 1, b: 0 }]);
  });

  it("changedKeys ignores different paths to identical data", () => {
    const at = (root: string, sha256: string): Partial<RunInfo> => ({
      config: {
        dataset: { vln: { data_path: `${root}/vln.json`, shuffle: root.length } },
        simulator: { scenes: `${root}/scenes` },
      },
      data: { vln: { episodes: 1, sha256 } },
    });
    const names = (a: Partial<RunInfo>, b: Partial<RunInfo>) => changed(a, b).map(({ key }) => key);
    expect(names(at("here", "s"), at("there", "s"))).toEqual(["config.dataset.vln.shuffle"]);
    expect(names(at("here", "s"), at("there", "t"))).toEqual([
      "config.dataset.vln.data_path",
      "config.dataset.vln.shuffle",
      "config.simulator.scenes",
    ]);
  });

  it("changedKeys handles runs that lack whole sections", () => {
    const bare = { ...runInfo(), config: undefined, versions: undefined };
    expect(changedKeys(bare as unknown as RunInfo, runInfo({ config: { a: 1 } }))).toEqual([
      { key: "config", b: { a: 1 } },
      { key: "versions", b: {} },
    ]);
  });
});

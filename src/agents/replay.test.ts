import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate, tempDir, tinyEpisode, tinyWorld } from "../../test/support/tiny-world.js";
import { ConfigError, DataError } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import { VLNTask } from "../tasks/vln/task.js";
import { ReplayAgent, replayAgentFactory } from "./replay.js";

const told = {
  taskType: "vln",
  episodeId: "e1",
  sceneId: "tiny",
  episodeKey: "vln/tiny/e1",
  episode: {},
  actionSpace: new VLNTask().actionSpace,
  seed: 0,
};

describe("ReplayAgent", () => {
  it("ReplayAgent repeats the recorded actions and stops at their end", async () => {
    const agent = new ReplayAgent({ actionsOf: () => ["turn_left", "goto:b"] });
    await agent.reset(told);
    expect([agent.act(), agent.act(), agent.act(), agent.act()]).toEqual([
      "turn_left",
      "goto:b",
      "stop",
      "stop",
    ]);
    await agent.reset(told);
    expect(agent.act()).toBe("turn_left");
  });

  it("ReplayAgent requests the recording of the current episode", async () => {
    const asked: string[] = [];
    const agent = new ReplayAgent({
      actionsOf: ({ episodeKey, episodeId }) => {
        asked.push(episodeKey, episodeId);
        return [];
      },
    });
    await agent.reset(told);
    expect(asked).toEqual(["vln/tiny/e1", "e1"]);
  });

  it("ReplayAgent rejects an episode without a recording", async () => {
    const agent = new ReplayAgent({ actionsOf: () => undefined });
    await expect(agent.reset(told)).rejects.toThrow(DataError);
    await expect(agent.reset(told)).rejects.toThrow("vln/tiny/e1");
  });

  it("ReplayAgent requires an argument", async () => {
    await expect(async () => replayAgentFactory.create({})).rejects.toThrow(ConfigError);
  });
});

/** The fields that must not change when a run is replayed. */
const judged = (lines: readonly EpisodeLine[]) =>
  lines.map(({ episode_key, outcome, end_reason, metrics, steps, final_state_hash }) => ({
    episode_key,
    outcome,
    end_reason,
    metrics,
    steps,
    final_state_hash,
  }));

describe("replay of a run directory", () => {
  it("the replay of a run directory gives every episode the same end, metrics and final state", async () => {
    const world = tinyWorld();
    const { results, lines } = await evaluate(world, "random", { outDir: tempDir() });
    const again = await evaluate(world, `replay:${results.run_dir}`);
    expect(judged(again.lines)).toEqual(judged(lines));
    expect(lines.length).toBeGreaterThan(0);
  });

  it("the replay of a run does not complete an episode in which the agent failed", async () => {
    const world = tinyWorld({ episodes: [tinyEpisode("a", "e")] });
    const hangsUpAtTheGoal = () => {
      let step = 0;
      return {
        reset: () => {},
        act: () => {
          if (step === 2) throw new Error("connection lost");
          return ["goto:b", "goto:e"][step++] ?? "stop";
        },
      };
    };
    const { results, lines } = await evaluate(world, hangsUpAtTheGoal, { outDir: tempDir() });
    expect(lines[0]?.outcome).toBe("failure");
    const again = await evaluate(world, `replay:${results.run_dir}`);
    expect(again.lines[0]?.outcome).toBe("failure");
  });

  it("ReplayAgent rejects a run that does not exist", async () => {
    await expect(evaluate(tinyWorld(), "replay:/nowhere/at-all")).rejects.toMatchObject({
      code: "missing_file",
      where: "/nowhere/at-all",
    });
  });
});

describe("replay of a submission file", () => {
  /** The tiny world in R2R's format, so that R2R submissions fit. */
  function r2rWorld() {
    const world = tinyWorld();
    const data = join(world.dir, "R2R_tiny.json");
    const path = { path_id: 5, scan: "tiny", heading: 0, instructions: ["Go up."], distance: 6.4 };
    writeFileSync(data, JSON.stringify([{ ...path, path: ["a", "b", "e", "d"] }]));
    return {
      ...world,
      benchmark: { ...world.benchmark, dataset: { vln: { type: "vln", data_path: data } } },
    };
  }

  function submission(dir: string, nodes: readonly string[]): string {
    const file = join(dir, "submission.json");
    const trajectory = nodes.map((node) => [node, 0, 0]);
    writeFileSync(file, JSON.stringify([{ instr_id: "5_0", trajectory }]));
    return file;
  }

  it("a replay of a submission file follows the submitted path", async () => {
    const world = r2rWorld();
    const file = submission(world.dir, ["a", "b", "c", "d"]);
    const { lines } = await evaluate(world, `replay:${file}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ outcome: "success", end_reason: "stop", steps: 4 });
    const shortest = 4 + Math.sqrt(6);
    expect(lines[0]?.metrics.spl).toBeCloseTo(shortest / (4 + Math.sqrt(10)), 12);
  });

  it("the replay of a submission file gives the recorded result", async () => {
    const world = r2rWorld();
    const { lines } = await evaluate(world, `replay:${submission(world.dir, ["a"])}`);
    expect(lines[0]).toMatchObject({ outcome: "failure", metrics: { success: 0, spl: 0 } });
  });

  it("a replay of a submission file is rejected for data without submissions", async () => {
    const world = tinyWorld({ episodes: [tinyEpisode("a", "d")] });
    const file = submission(world.dir, ["a"]);
    await expect(evaluate(world, `replay:${file}`)).rejects.toMatchObject({
      code: "no_submissions",
    });
  });
});

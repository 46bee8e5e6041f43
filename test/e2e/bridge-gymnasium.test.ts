import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { replayRun } from "../../src/evaluator/check/replay/replay-run.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { linesOf, temporaryFolder } from "../support/cli.js";
import { pythonEnvironment, testPython } from "../support/python.js";

const python = testPython() ?? "";

/** The example script of docs/bridge.md, unchanged. */
const docs = readFileSync(new URL("../../docs/bridge.md", import.meta.url), "utf8");
const SCRIPT =
  /## A Gymnasium world of your own\n[\s\S]*?```python\n([^`]*)```/.exec(docs)?.[1] ?? "";

describe.skipIf(!python)("a user's Gymnasium environment", () => {
  it("a Gymnasium environment is evaluated and replayed with a script of a few lines", async () => {
    expect(SCRIPT.trim().split("\n").length).toBeLessThanOrEqual(5);
    const root = temporaryFolder();
    writeFileSync(join(root, "world.py"), SCRIPT);
    const episodes = Array.from({ length: 4 }, (_, i) => ({
      episode_id: String(i),
      task_type: "external",
      scene_id: "hill",
    }));
    writeFileSync(
      join(root, "episodes.json"),
      JSON.stringify({ format: "robot-eval-episodes/1", episodes }),
    );
    const { PYTHONPATH } = pythonEnvironment();
    writeFileSync(
      join(root, "benchmark.yaml"),
      `benchmark: { name: hill }
hill_task: { type: external, config: { max_steps: 60 } }
simulator:
  backend: remote
  command: [${python}, world.py]
  cwd: ${root}
  env: { PYTHONPATH: ${PYTHONPATH} }
dataset:
  hill: { type: external, data_path: episodes.json }
`,
    );
    const run = await new UnifiedRobotEvaluator(loadConfig(join(root, "benchmark.yaml")), {
      agent: "random",
      outDir: join(root, "out"),
    }).run();
    expect(run.episodes).toEqual({ total: 4, success: 0, failure: 4, invalid: 0 });
    const hashes = (await linesOf(run.run_dir)).map((line) => line.initial_state_hash);
    expect(new Set(hashes).size).toBe(4);
    const replay = await replayRun(run.run_dir ?? "");
    expect([replay.equal, replay.different]).toEqual([4, []]);
  }, 300_000);
});

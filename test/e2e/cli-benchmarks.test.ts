import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { RunDirectory } from "../../src/runs/run-directory.js";
import { hasSharedData, sharedData } from "../shared-data.js";
import {
  linesOf,
  makeWorld,
  robotEval,
  robotEvalHere,
  temporaryFolder,
  type World,
} from "../support/cli.js";

const CHALLENGE = readFileSync(
  fileURLToPath(new URL("../../src/config/unified-challenge.fixture.txt", import.meta.url)),
  "utf8",
);
const VLN_DATA = "data/datasets/vln/R2R/val_seen.json.gz";
const MANIPULATION_DATA = "data/datasets/manipulation/LIBERO/train";

/** `line:column` of a text in the challenge, as an editor counts them. */
function placeOf(text: string): string {
  const before = CHALLENGE.slice(0, CHALLENGE.indexOf(`"${text}"`)).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

describe("the design's unified challenge, as it is written", () => {
  it("is valid, and its missing data is named with its place", async () => {
    const world = makeWorld();
    const yaml = world.write("configs/unified_challenge.yaml", CHALLENGE);
    const { code, stdout, stderr } = await robotEvalHere(["validate", yaml]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("is valid: Unified Robot Challenge 2024");
    for (const data of [VLN_DATA, MANIPULATION_DATA]) {
      expect(stderr).toContain(`${yaml}:${placeOf(data)}: missing data file: ${data}`);
    }
    expect(world.runs()).toEqual([]);
  });

  it("is valid as a document, too", async () => {
    const yaml = makeWorld().write("unified_challenge.yaml", CHALLENGE);
    const { code, stdout } = await robotEvalHere(["validate", yaml, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      tasks: [
        { name: "vln", type: "vln", profile: "design", episodes: null },
        { name: "manipulation", type: "pick_place", episodes: null },
      ],
      missing: [{ path: VLN_DATA }, { path: MANIPULATION_DATA }],
    });
  });
});

describe("the unified challenge with its data paths pointing at data", () => {
  let world: World;
  beforeAll(() => {
    world = makeWorld();
    world.write(
      "episodes/pick_place.json",
      ["1", "2"].map((episode_id) => ({
        episode_id,
        task_type: "pick_place",
        scene_id: "table",
        start_state: { base_pose: [0, 0, 0] },
      })),
    );
    world.write(
      "unified_challenge.yaml",
      CHALLENGE.replace(VLN_DATA, "episodes/vln.json").replace(
        MANIPULATION_DATA,
        "episodes/pick_place.json",
      ),
    );
  });
  const run = (...flags: readonly string[]) => {
    const agent = "vln=shortest-path,pick_place=random";
    return robotEval(
      ["run", "unified_challenge.yaml", "--agent", agent, "--json", ...flags],
      world.root,
    );
  };

  it("is valid, with all data there", async () => {
    const yaml = join(world.root, "unified_challenge.yaml");
    const { code, stdout, stderr } = await robotEvalHere(["validate", yaml, "--json"]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tasks: [{ episodes: 6 }, { episodes: 2 }] });
    expect(stderr).not.toContain("missing data file");
  });

  it("runs navigation and manipulation to their ends", async () => {
    const { code, stdout, stderr } = await run();
    expect(code, stderr).toBe(0);
    const results = JSON.parse(stdout) as RunResults;
    expect(results).toMatchObject({
      status: "done",
      episodes: { total: 8, success: 6, failure: 2, invalid: 0 },
      primary_metrics: { vln: "success", manipulation: "manip_success" },
    });
    expect(Object.keys(results.per_task.vln ?? {})).toEqual([
      "success",
      "spl",
      "navigation_error",
      "dtw",
    ]);
    expect(results.per_task.vln?.spl).toMatchObject({ mean: 1, count: 6 });
    expect(results.per_task.manipulation?.manip_success).toMatchObject({
      mean: 0,
      count: 2,
      n_invalid: 0,
    });
    expect(results.run_dir).toMatch(/^logs\/evaluations\//);
    const path = join(world.root, results.run_dir ?? "");
    expect((await new RunDirectory(path).info()).status).toBe("done");
    expect(readdirSync(join(path, "trajectories"))).toHaveLength(8);
  });

  it("leaves with 0 when all may be invalid", async () => {
    const { code, stderr } = await run("--fail-on-invalid", "1", "--out", "out");
    expect(code, stderr).toBe(0);
    expect(world.runs()).toHaveLength(1);
  });
});

/** A line without what the clock made of it. */
function untimed({ wall_ms, sim_ms, agent_ms, agent_latency_ms, ...line }: EpisodeLine) {
  expect([wall_ms, sim_ms, agent_ms].every((ms) => ms >= 0)).toBe(true);
  expect(agent_latency_ms).not.toBeNull();
  return line;
}

function benchmark(profile: string, dataPath: string, connectivity: string): string {
  return makeWorld().write(
    "published.yaml",
    `benchmark: {name: ${profile}}
vln_task: {type: vln, config: {profile: ${profile}}}
dataset:
  vln:
    type: vln
    data_path: ${JSON.stringify(sharedData(dataPath))}
    connectivity: ${JSON.stringify(sharedData(connectivity))}
`,
  );
}

describe.skipIf(!hasSharedData)("agents on NDH val_unseen (needs ../shared/data)", () => {
  const evaluate = (agent: string, outDir: string) => {
    const yaml = benchmark("ndh", "ndh/val_unseen.json", "connectivity");
    return new UnifiedRobotEvaluator(loadConfig(yaml), { agent, outDir }).run();
  };

  it("shortest-path solves all 907 episodes on the shortest way, those of no length too", async () => {
    const results = await evaluate("shortest-path", temporaryFolder());
    expect(results.episodes).toEqual({ total: 907, success: 907, failure: 0, invalid: 0 });
    const lines = await linesOf(results.run_dir);
    for (const { metrics } of lines) {
      expect(metrics.success).toBe(1);
      expect(metrics.spl).toBeCloseTo(1, 12);
      expect(metrics.navigation_error).toBe(0);
    }
    const standing = lines.filter(({ metrics }) => metrics.path_length === 0);
    expect(standing.length).toBeGreaterThan(0);
  });

  it("random is far from it, and the same each time", async () => {
    const [first, second] = await Promise.all(
      [temporaryFolder(), temporaryFolder()].map((folder) => evaluate("random", folder)),
    );
    expect(first?.aggregated_metrics.success?.mean).toBeLessThan(0.2);
    expect(first?.aggregated_metrics.success?.ci95?.[1]).toBeLessThan(0.2);

    const [one, two] = [first?.run_dir ?? "", second?.run_dir ?? ""];
    expect((await linesOf(two)).map(untimed)).toEqual((await linesOf(one)).map(untimed));
    const names = readdirSync(join(one, "trajectories"));
    expect(names).toHaveLength(907);
    expect(readdirSync(join(two, "trajectories"))).toEqual(names);
    for (const name of names) {
      const [a, b] = [one, two].map((run) => readFileSync(join(run, "trajectories", name)));
      if (!a || !b?.equals(a)) expect.fail(`${name} differs between the runs`);
    }
  });
});

describe.skipIf(!hasSharedData)("agents on R2R (needs ../shared/data)", () => {
  const folder = "valan_testdata/r2r/testdata";
  const run = (agent: string) => {
    const yaml = benchmark("r2r", `${folder}/R2R_3scans.json`, `${folder}/connections`);
    return robotEvalHere(["run", yaml, "--agent", agent, "--out", temporaryFolder(), "--json"]);
  };

  it("shortest-path follows every reference path", async () => {
    const { code, stdout } = await run("shortest-path");
    expect(code).toBe(0);
    const { aggregated_metrics: metrics, episodes } = JSON.parse(stdout) as RunResults;
    expect(episodes).toEqual({ total: 36, success: 36, failure: 0, invalid: 0 });
    for (const name of ["success", "spl", "ndtw", "sdtw", "cls"]) {
      expect(metrics[name]?.mean, name).toBeCloseTo(1, 9);
    }
  });

  it("random does not", async () => {
    const { code, stdout } = await run("random");
    expect(code).toBe(0);
    const { aggregated_metrics } = JSON.parse(stdout) as RunResults;
    expect(aggregated_metrics.success?.mean).toBeLessThan(0.5);
  });
});

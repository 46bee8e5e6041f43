import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import { makeWorld, robotEval, robotEvalHere, type World } from "../support/cli.js";

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

describe("the design's unified challenge without its data", () => {
  it("the design challenge is valid, and missing data files are reported with their line", async () => {
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

  it("validate --json lists the missing data files of the design challenge", async () => {
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

describe("the design's unified challenge with existing data", () => {
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

  it("the design challenge with its data is valid", async () => {
    const yaml = join(world.root, "unified_challenge.yaml");
    const { code, stdout, stderr } = await robotEvalHere(["validate", yaml, "--json"]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tasks: [{ episodes: 6 }, { episodes: 2 }] });
    expect(stderr).not.toContain("missing data file");
  });

  it("the design challenge runs all its navigation and manipulation episodes", async () => {
    const short = ["--set", "evaluation.max_steps=60", "--fail-on-invalid", "1"];
    const { code, stdout, stderr } = await run(...short);
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
});

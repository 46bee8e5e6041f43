import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import { EPISODES, episodeDict, makeWorld, robotEvalHere, type World } from "../support/cli.js";

const first = episodeDict("1", "a", "d");
const zero = { ...episodeDict("7", "b", "b"), reference_data: null };
const island = { ...episodeDict("8", "a", "d"), goals: { position: [20, 0, 0], node: "x" } };
const upsideDown = { ...first, start_state: { ...first.start_state, rotation: [1, 0, 0, 0] } };

function lint(world: World, ...flags: readonly string[]) {
  return robotEvalHere(["lint", join(world.root, "episodes", "vln.json"), ...flags]);
}

describe("robot-eval lint", () => {
  it("robot-eval lint reports nothing for a valid dataset", async () => {
    const { code, stdout } = await lint(makeWorld());
    expect(code).toBe(0);
    expect(stdout).toContain("native, 6 episodes");
    expect(stdout).toContain("nothing found");
  });

  it("robot-eval lint groups findings by rule, most severe first, and exits with 2", async () => {
    const { code, stdout } = await lint(makeWorld([...EPISODES, zero, first]));
    expect(code).toBe(2);
    expect(stdout.indexOf("error duplicate_id: 1")).toBeGreaterThan(0);
    expect(stdout.indexOf("warning zero_distance: 1")).toBeGreaterThan(
      stdout.indexOf("error duplicate_id: 1"),
    );
    expect(stdout).toContain("vln/hall/7");
    expect(stdout).toContain("why: doing nothing succeeds");
    expect(stdout.trimEnd().endsWith("1 error, 1 warning, 0 info")).toBe(true);
  });

  it("robot-eval lint cuts an id of a million characters in its text", async () => {
    const long = { ...zero, episode_id: "x".repeat(1_000_000) };
    const { code, stdout, stderr } = await lint(
      makeWorld([...EPISODES, long, long]),
      "--format",
      "native",
    );
    expect(code).toBe(2);
    expect(stdout).toContain("error duplicate_id: 1");
    expect(stdout.length + stderr.length).toBeLessThan(5000);
  });

  it("robot-eval lint exits with 0 on warnings unless --strict is given", async () => {
    const world = makeWorld([...EPISODES, zero]);
    expect((await lint(world)).code).toBe(0);
    expect((await lint(world, "--strict")).code).toBe(2);
  });

  it("robot-eval lint finds and uses the graphs next to the dataset", async () => {
    const { stdout } = await lint(makeWorld([island]));
    expect(stdout).toContain("error unreachable_goal: 1");
  });

  it("robot-eval lint prints one JSON document", async () => {
    const { code, stdout } = await lint(makeWorld([upsideDown, { episode_id: 3 }]), "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      format: "robot-eval-lint/1",
      format_name: "native",
      episodes: 1,
      unreadable: 1,
      counts: { error: 2, warning: 0, info: 0 },
      findings: [
        { code: "bad_episode", where: expect.stringContaining("episodes[1]") },
        { code: "rotation_order", episode: "vln/hall/1", field: "start_state.rotation" },
      ],
    });
  });

  it("robot-eval lint limits the findings shown per rule", async () => {
    const world = makeWorld([first, first, first, first]);
    const { stdout } = await lint(world, "--max", "2");
    expect(stdout).toContain("error duplicate_id: 3");
    expect(stdout).toContain("and 1 more (--max)");
    const { findings, rules } = JSON.parse((await lint(world, "--max", "0", "--json")).stdout);
    expect(findings).toEqual([]);
    expect(rules).toMatchObject([{ code: "duplicate_id", count: 3, shown: 0 }]);
  });

  it("robot-eval lint looks for scenes below --data-root", async () => {
    const world = makeWorld();
    const root = join(world.root, "data");
    mkdirSync(join(root, "scene_datasets"), { recursive: true });
    writeFileSync(join(root, "scene_datasets", "hall"), "");
    const { code, stdout } = await lint(world, "--data-root", root);
    expect(code).toBe(2);
    expect(stdout).toContain("error missing_scene: 1");
    expect(stdout).toContain('"yard"');
  });

  it("robot-eval lint skips episodes of other types", async () => {
    const world = makeWorld([first, { ...zero, task_type: "objectnav" }]);
    expect((await lint(world, "--task-type", "vln")).stdout).toContain("nothing found");
  });

  it("robot-eval lint rejects a missing dataset file with a hint", async () => {
    const { code, stderr } = await robotEvalHere(["lint", "no-such-file.json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("the file does not exist");
  });
});

describe("robot-eval run --shard", () => {
  it("robot-eval run --shard runs each episode in exactly one shard, and records which", async () => {
    const world = makeWorld();
    let total = 0;
    for (const shard of ["1/2", "2/2"]) {
      const flags = ["--agent", "shortest-path", "--out", world.out, "--shard", shard, "--json"];
      const { code, stdout } = await robotEvalHere(["run", world.yaml, ...flags]);
      expect(code).toBe(0);
      const { episodes, run_dir } = JSON.parse(stdout);
      total += episodes.total;
      expect(await new RunDirectory(run_dir).info()).toMatchObject({ selection: { shard } });
    }
    expect(total).toBe(EPISODES.length);
  });

  it("robot-eval run --shard rejects an invalid shard", async () => {
    const world = makeWorld();
    const flags = ["--agent", "random", "--shard", "5/4"];
    const { code, stderr } = await robotEvalHere(["run", world.yaml, ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain("--shard");
    expect(stderr).toContain("1/4");
  });
});

import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeWorld, robotEvalHere, temporaryFolder } from "../support/cli.js";

const world = makeWorld();
const csv = world.write(
  "mine.csv",
  "id,ok,scene,spl\n1,yes,hall,0.5\n2,no,hall,0\n3,yes,yard,1\n4,,yard,\n",
);
const COLUMNS = ["--columns", "episode_id=id,success=ok,scene_id=scene,spl=spl"];

async function score(...args: readonly string[]) {
  const out = temporaryFolder();
  const result = await robotEvalHere(["score", ...args, "--out", out]);
  return { ...result, out };
}

describe("robot-eval score with a results file", () => {
  it("robot-eval score with a results file prints the table, the rates by scene and both rates where episodes are invalid", async () => {
    const { code, stdout, stderr } = await score(csv, ...COLUMNS);
    expect(stderr).toContain(
      "note: vln: 1 of 4 episodes are invalid. Success without them: 66.7 % (2/3); with them as failures: 50.0 % (2/4)",
    );
    expect(code).toBe(0);
    expect(stdout).toContain("table results · agent mine.csv");
    expect(stdout).toContain("vln (profile imported)");
    expect(stdout).toMatch(/vln by scene +success/);
    expect(stdout).toMatch(/hall +0\.500/);
    expect(stderr).toContain("robot-eval view ");
  });

  it("robot-eval score with a results file prints one JSON document on stdout", async () => {
    const { code, stdout } = await score(csv, ...COLUMNS, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      episodes: { total: 4, success: 2, failure: 1, invalid: 1 },
      aggregated_metrics: { success: { mean: 2 / 3, count: 3, n_invalid: 1 }, spl: { mean: 0.5 } },
      per_scene: { vln: [{ scene_id: "hall" }, { scene_id: "yard" }] },
      run_dir: expect.any(String),
    });
  });

  it("robot-eval score with a results file writes runs that describe and compare can read", async () => {
    const runs = [await score(csv, ...COLUMNS, "--json"), await score(csv, ...COLUMNS, "--json")];
    const [a = "", b = ""] = runs.map(({ stdout }) => String(JSON.parse(stdout).run_dir));
    const described = await robotEvalHere(["describe", "run", a]);
    expect(described.code).toBe(0);
    expect(described.stdout).toContain("failed");
    const compared = await robotEvalHere(["compare", a, b]);
    expect(compared.code).toBe(0);
    expect(compared.stdout).toContain("4 shared episodes");
  });

  it("robot-eval score with a results file detects the format by content", async () => {
    const stats = world.write("stats_ep.json", { "1": { success: 1, spl: 0.5 } });
    const { code, stdout } = await score(stats, "--task", "objectnav");
    expect(code).toBe(0);
    expect(stdout).toContain("objectnav (profile imported)");
  });

  it("robot-eval score with a results file lists and describes the formats", async () => {
    const { stdout } = await robotEvalHere(["list", "results"]);
    for (const name of ["habitat-stats", "vla-eval", "lerobot-eval", "table"]) {
      expect(stdout).toContain(name);
    }
    expect((await robotEvalHere(["describe", "results", "table"])).stdout).toContain("--columns");
  });
});

describe("robot-eval score with bad input", () => {
  const unknown = world.write("unknown.json", { something: "else" });
  const run = temporaryFolder();

  it.each([
    ["a file of unknown format", [unknown], "results formats: habitat-stats"],
    ["a submission without its dataset", [unknown], "pass its dataset with --dataset"],
    ["a table without --columns", [csv], "--columns episode_id=<column>,success=<column>"],
    ["an unknown column", [csv, "--columns", "episode_id=idd"], 'did you mean "id"?'],
    ["a dataset format as --format", [unknown, "--format", "ndh"], "name it with --dataset"],
    ["--columns without pairs", [csv, "--columns", "id"], "name=column"],
    ["a missing file", [`${csv}x`], "the run directory, submission or results file does not exist"],
    ["a flag of submissions", [csv, "--partial"], "--partial has no effect for a results file"],
    ["a flag of results files", [run, "--task", "x"], "--task has no effect for a run directory"],
    ["an unknown profile", [csv, ...COLUMNS, "--profile", "r3r"], "unknown profile"],
    ["an unknown format", [csv, "--format", "tabel"], 'did you mean "table"?'],
  ])("robot-eval score exits with 2 and the reason: %s", async (_, args, words) => {
    const { code, stdout, stderr, out } = await score(...args);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(readdirSync(out)).toEqual([]);
  });
});

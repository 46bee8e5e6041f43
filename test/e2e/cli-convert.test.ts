import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../shared-data.js";
import { episodeDict, makeWorld, robotEvalHere } from "../support/cli.js";
import { writeLerobot2 } from "../support/lerobot.js";

describe("robot-eval convert", () => {
  const world = makeWorld();
  const walks = ["1", "2"].map((id) => episodeDict(id, "a", "c"));
  const episodes = world.write(
    "walks.json",
    walks.map((walk) => ({ ...walk, sim_params: { max_steps: 9 } })),
  );
  const out = (name: string) => join(world.root, name);

  it("robot-eval convert writes a dataset in another format and lists the fields that it cannot represent", async () => {
    const path = out("val.json.gz");
    const args = ["convert", episodes, "--to", "r2r-vlnce", "--out", path];
    const { code, stdout } = await robotEvalHere(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+ episodes of .*walks\.json \(native\) written to .* \(r2r-vlnce\)/);
    expect(stdout).toMatch(/dropped +episodes +why/);
    expect(stdout).toMatch(/sim_params\.max_steps +2 +R2R-CE files cannot store it/);
    const back = await robotEvalHere(["convert", path, "--to", "native", "--out", out("b.jsonl")]);
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing was dropped") });
  });

  it("robot-eval convert prints one JSON document with --json", async () => {
    const path = out("copy.jsonl");
    const args = ["convert", episodes, "--to", "native", "--out", path, "--json"];
    const { code, stdout } = await robotEvalHere(args);
    const written = readFileSync(path, "utf8").trim().split("\n").length - 1;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      from: { path: episodes, format: "native" },
      to: "native",
      out: path,
      written,
      left_out: 0,
      dropped: [],
      notes: [],
    });
  });

  it("robot-eval convert creates a folder for lerobot and replaces it only with --force", async () => {
    const cups = await writeLerobot2(out("cups"), { lengths: [3, 2] });
    const args = ["convert", cups, "--to", "lerobot", "--out", out("copy")];
    expect((await robotEvalHere(args)).code).toBe(0);
    expect(readdirSync(out("copy")).sort()).toEqual(["data", "meta"]);
    const again = await robotEvalHere(args);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
    expect((await robotEvalHere([...args, "--force"])).code).toBe(0);
  });

  it.each<[string, string[], string]>([
    ["an unknown target", ["--to", "natve", "--out", "x.json"], 'did you mean "native"?'],
    ["no target", ["--out", "x.json"], "--to <format>"],
    ["no place for the result", ["--to", "native"], "--out <path>"],
    [
      "an unknown format",
      ["--to", "native", "--out", "x.json", "--format", "rr"],
      "unknown format",
    ],
    ["navigation for lerobot", ["--to", "lerobot", "--out", out("l")], "reference_data.trajectory"],
  ])("robot-eval convert exits with 2 and the reason: %s", async (_, flags, words) => {
    const { code, stdout, stderr } = await robotEvalHere(["convert", episodes, ...flags]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(words);
  });

  it("robot-eval convert shows an example in its help", async () => {
    const { code, stdout } = await robotEvalHere(["convert", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("robot-eval convert val_seen.json.gz --to native");
    expect(stdout).toContain("LeRobot v2.1");
  });

  it("robot-eval convert needs graphs for formats that name viewpoints", async () => {
    const path = ["a", "b", "c"];
    const r2r = world.write("R2R.json", [
      { path_id: 7, scan: "hall", path, heading: 0, instructions: ["go", "walk"] },
    ]);
    const args = ["convert", r2r, "--to", "r2r-vlnce", "--out", out("r2r.json")];
    expect(await robotEvalHere(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--connectivity"),
    });
    const graphs = join(world.root, "episodes", "connectivity");
    const { code, stdout } = await robotEvalHere([...args, "--connectivity", graphs]);
    expect(code).toBe(0);
    expect(stdout).toContain("2 episodes");
  });
});

describeWithSharedData("robot-eval convert on published data", () => {
  it("robot-eval convert skips and counts missing episodes only on request", async () => {
    const { root } = makeWorld();
    const args = ["convert", sharedData("lerobot_v2.1"), "--to", "lerobot"];
    const out = ["--out", join(root, "part")];
    expect(await robotEvalHere([...args, ...out])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("95 of 100 listed episodes"),
    });
    expect(await robotEvalHere([...args, ...out, "--partial"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("95 listed episodes left out"),
    });
  });
});

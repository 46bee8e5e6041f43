import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { evaluate, makeWorld } from "../../../test/support/cli.js";
import { runCommand } from "../../../test/support/command.js";
import { mapCommand } from "./map.js";

const map = (...args: readonly string[]) => runCommand(mapCommand(), args);

describe("robot-eval map", async () => {
  const world = makeWorld();
  const run = (await evaluate(world)).run_dir ?? "";

  it("robot-eval map draws every episode into the run directory and prints the files", async () => {
    const { stdout, stderr } = await map(run);
    const files = stdout.trimEnd().split("\n");
    expect(files).toHaveLength(6);
    expect(files[0]).toBe(join(run, "maps", "vln_hall_1.svg"));
    for (const file of files) expect(readFileSync(file, "utf8")).toMatch(/^<svg /);
    expect(stderr).toBe("6 maps written\n");
  });

  it("robot-eval map draws one episode as PNG into another folder", async () => {
    const out = join(world.root, "pictures");
    const { stdout } = await map(run, "vln/yard/2", "--format", "png", "--out", out);
    expect(stdout.trimEnd()).toBe(join(out, "vln_yard_2.png"));
    expect(readdirSync(out)).toEqual(["vln_yard_2.png"]);
    expect((await sharp(stdout.trimEnd()).metadata()).width).toBe(800);
  });

  it("robot-eval map prints one JSON document with --json, and stops at the limit", async () => {
    const { stdout } = await map(run, "--limit", "2", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      run_dir: run,
      format: "svg",
      written: [{ episode_key: "vln/hall/1" }, { episode_key: "vln/hall/2" }],
      skipped: [],
    });
  });

  it("robot-eval map draws only failures with --failures, and reports if there are none", async () => {
    const { error } = await map(run, "--failures");
    expect(error).toMatchObject({ code: "no_episodes" });
    expect(error?.message).toContain("no episode of the run failed");
  });

  it("robot-eval map suggests the nearest episode for an unknown one", async () => {
    const { error } = await map(run, "vln/hall/9");
    expect(error?.code).toBe("unknown_episode");
    expect(error?.hint).toMatch(/did you mean "vln\/hall\/\d"/);
  });

  it("robot-eval map explains what to do about a run without trajectories, and writes nothing", async () => {
    const bare = await evaluate(world, { set: ["output.save_trajectories=false"] });
    const { error } = await map(bare.run_dir ?? "");
    expect(error).toMatchObject({ code: "no_trajectory", exitCode: 2 });
    expect(existsSync(join(bare.run_dir ?? "", "maps"))).toBe(false);
  });
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeWorld } from "../../../../test/support/cli.js";
import { runCommand } from "../../../../test/support/command.js";
import { collectCommand } from "./collect.js";

const collect = (...args: readonly string[]) => runCommand(collectCommand(), args);

describe("robot-eval collect", () => {
  it("robot-eval collect writes a dataset and reports its content", async () => {
    const { yaml, root } = makeWorld();
    const out = join(root, "set");
    const flags = ["--agent", "shortest-path", "--lerobot-version", "2.1"];
    const { stdout, stderr } = await collect(yaml, ...flags, "--out", out);
    expect(stdout).toMatch(
      /^6 episodes with \d+ frames written to .*set \(lerobot\), 4 frames per second\nfeatures: .*action, discrete_action\nsize: [\d.]+ kB, \d+ bytes a frame\n$/,
    );
    expect(stderr).toContain(`6 episodes into ${out}`);
    expect(stderr).toContain("note: simulator.sensors has no rgb camera");
    expect(readdirSync(join(out, "meta"))).toContain("robot_eval.json");
  });

  it("robot-eval collect says before it starts which episodes are dropped", async () => {
    const { yaml, root } = makeWorld();
    const flags = ["--agent", "shortest-path", "--limit", "1"];
    const { stderr } = await collect(yaml, ...flags, "--out", join(root, "set"));
    expect(stderr).toMatch(
      /^only successful episodes are written, and failures are dropped; --keep all writes both\n/,
    );
    const all = await collect(yaml, ...flags, "--keep", "all", "--out", join(root, "all"));
    expect(all.stderr).toMatch(/^successful and failed episodes are written\n/);
  });

  it("robot-eval collect prints one JSON document", async () => {
    const { yaml, root } = makeWorld();
    const out = join(root, "set");
    const flags = ["--agent", "shortest-path", "--limit", "1", "--fps", "2", "--seed", "5"];
    const { stdout } = await collect(yaml, ...flags, "--out", out, "--to", "lerobot", "--json");
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ episodes: 1, fps: 2, seed: 5, left_out: { failure: 0 }, out });
    const info = JSON.parse(readFileSync(join(out, "meta/info.json"), "utf8"));
    expect(info.total_frames).toBe(report.frames);
  });

  it("robot-eval collect reports what was left out", async () => {
    const { yaml, root } = makeWorld();
    const flags = ["--agent", "shortest-path", "--set", "evaluation.max_steps=1"];
    const { stdout } = await collect(yaml, ...flags, "--out", join(root, "set"));
    expect(stdout).toMatch(/left out: \d failure\n$/);
  });

  it.each([
    ["--to", "rlds", "unknown_target", "valid: lerobot"],
    ["--keep", "none", "bad_keep", "valid: success, all"],
    ["--agent", "shortest-pth", "unknown_agent", "shortest-path"],
  ])("robot-eval collect rejects %s %s", async (flag, value, code, hint) => {
    const { yaml, root } = makeWorld();
    const out = join(root, "set");
    const { error } = await collect(yaml, "--agent", "shortest-path", "--out", out, flag, value);
    expect(error).toMatchObject({ code, exitCode: 2 });
    expect(error?.describe()).toContain(hint);
    expect(existsSync(out)).toBe(false);
  });
});

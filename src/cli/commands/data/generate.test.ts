import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../../test/support/cli.js";
import { generateCommand } from "./generate.js";

async function run(...args: readonly string[]): Promise<string> {
  const out: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  await generateCommand().exitOverride().parseAsync(args, { from: "user" });
  return out.join("");
}

afterEach(() => vi.restoreAllMocks());

describe("robot-eval generate", () => {
  const few = ["--task", "image_nav", "--scenes", "apartment/7", "-n", "2"];

  it("robot-eval generate writes a file and reports the draws", async () => {
    const out = join(temporaryFolder(), "new", "val.json.gz");
    const text = await run(...few, "--seed", "3", "--out", out);
    expect(text).toMatch(
      /^2 episodes in 1 scene written to .*val\.json\.gz \(pointnav\); \d+ drawn/,
    );
    expect(existsSync(out)).toBe(true);
  });

  it("robot-eval generate prints one JSON document with --json", async () => {
    const out = join(temporaryFolder(), "val.json");
    const report = JSON.parse(await run(...few, "--out", out, "--json"));
    expect(report).toMatchObject({ task: "image_nav", format: "pointnav", out, episodes: 2 });
    expect(report.scenes).toEqual([
      {
        scene_id: "apartment/7",
        episodes: 2,
        drawn: expect.any(Number),
        rejected: expect.any(Object),
      },
    ]);
    expect(report.passed_over).toEqual([]);
  });

  it("robot-eval generate replaces an existing file only with --force", async () => {
    const out = join(temporaryFolder(), "val.json");
    await run(...few, "--out", out);
    await expect(run(...few, "--out", out)).rejects.toMatchObject({ code: "out_exists" });
    await run(...few, "--out", out, "--force");
  });

  it.each([
    ["an unknown task", ["--task", "vlm", "--scenes", "apartment", "-n", "1"], "unknown_task"],
    ["no scenes", ["--task", "vln", "--scenes", "no/where", "-n", "1"], "no_scenes"],
  ])("robot-eval generate rejects %s", async (_, args, code) => {
    const out = join(temporaryFolder(), "val.json");
    await expect(run(...args, "--out", out)).rejects.toMatchObject({ code });
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    ["-n", "0"],
    ["--min-distance", "far"],
    ["--seed", "-4"],
  ])("robot-eval generate rejects %s %s as commander does", async (flag, value) => {
    await expect(run(...few, "--out", "x.json", flag, value)).rejects.toMatchObject({
      code: "commander.invalidArgument",
    });
  });
});

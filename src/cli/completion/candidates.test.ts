import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { candidatesFor } from "./candidates.js";

/** A working directory with three runs, a folder that is none, and a run whose name would be two lines. */
function folderWithRuns(): string {
  const folder = temporaryFolder();
  for (const name of ["a-run", "not-a-run", "$(reboot)", "a run", "two\nlines"]) {
    mkdirSync(join(folder, "runs", name), { recursive: true });
    if (name !== "not-a-run") writeFileSync(join(folder, "runs", name, "run.json"), "{}");
  }
  return folder;
}

describe("candidatesFor", () => {
  it.each([
    [["re"], ["resume", "replay", "report"]],
    [["help", "val"], ["validate"]],
    [
      ["run", "vln_"],
      ["vln_challenge", "vln_graph"],
    ],
    [["run", "vln_challenge", "--thr"], ["--threshold"]],
    [["probe", "ws://x", "--benchmark", "unified_s"], ["unified_smoke"]],
    [["list", "be"], ["benchmarks"]],
    [["run", "--limit", "3", "imagenav"], ["imagenav_challenge"]],
    [["run", "--out", ""], []],
    [["probe", "ws://x", "--benchmark=unified_s"], ["--benchmark=unified_smoke"]],
    [["run", "--limit=3", "imagenav"], ["imagenav_challenge"]],
    [["nonsense", ""], []],
    [["__proto__", ""], []],
  ])("candidatesFor completes %j", async (words, expected) => {
    expect(await candidatesFor(words)).toEqual(expected);
  });

  it("candidatesFor completes the runs of the working directory, except names with control characters", async () => {
    const folder = folderWithRuns();
    const runs = ["runs/a-run", "runs/a run", "runs/$(reboot)"];
    expect(await candidatesFor(["resume", "runs/"], folder)).toEqual(runs);
    expect(await candidatesFor(["compare", "runs/a-run", "runs/a "], folder)).toEqual([
      "runs/a run",
    ]);
    expect(await candidatesFor(["score", ""], folder)).toEqual(runs);
    expect(await candidatesFor(["pull", ""], folder)).toEqual([]);
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { candidatesFor } from "./candidates.js";

/** A working directory with one run, a folder that is none, and runs whose names a shell would not take as a word. */
function folderWithRuns(): string {
  const folder = temporaryFolder();
  for (const name of ["a-run", "not-a-run", "$(reboot)", "a run"]) {
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
    [["nonsense", ""], []],
    [["__proto__", ""], []],
  ])("completes %j", async (words, expected) => {
    expect(await candidatesFor(words)).toEqual(expected);
  });

  it("completes the runs of the working directory", async () => {
    const folder = folderWithRuns();
    expect(await candidatesFor(["resume", "runs/"], folder)).toEqual(["runs/a-run"]);
    expect(await candidatesFor(["compare", "runs/a-run", ""], folder)).toEqual(["runs/a-run"]);
    expect(await candidatesFor(["score", ""], folder)).toEqual(["runs/a-run"]);
    expect(await candidatesFor(["pull", ""], folder)).toEqual([]);
  });
});

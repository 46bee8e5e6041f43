import * as fsSync from "node:fs";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { doing, evaluate, tempDir, tinyWorld } from "../../test/support/tiny-world.js";
import { RobotEvalError } from "../core/errors.js";

// The real file system, except where a test lets it run full.
vi.mock(import("node:fs/promises"), async (original) => {
  const real = await original();
  return { ...real, open: vi.fn(real.open) };
});
vi.mock(import("node:fs"), async (original) => {
  const real = await original();
  return { ...real, openSync: vi.fn(real.openSync) };
});
afterEach(() => vi.resetAllMocks());

/** Takes everything, and has no space for any of it. */
const FULL = "/dev/full";

/** From now on there is no space for the files that `full` picks. */
async function fillDisk(full: (name: string) => boolean): Promise<void> {
  const real = await vi.importActual<typeof fs>("node:fs/promises");
  const realSync = await vi.importActual<typeof fsSync>("node:fs");
  // The dataset may have a file of the same name, which is only read.
  const isFull = (path: unknown, flags: unknown = "r") =>
    flags !== "r" && full(basename(String(path)));
  vi.mocked(fs.open).mockImplementation((path, flags, mode) =>
    isFull(path, flags) ? real.open(FULL, "r+") : real.open(path, flags, mode),
  );
  vi.mocked(fsSync.openSync).mockImplementation((path, flags, mode) =>
    isFull(path, flags) ? realSync.openSync(FULL, "r+") : realSync.openSync(path, flags, mode),
  );
}

async function refusal(work: Promise<unknown>): Promise<RobotEvalError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RobotEvalError);
  return error as RobotEvalError;
}

describe("a folder that cannot be written to", () => {
  it("the evaluator reports a folder that cannot be written to before any episode runs, with its path and a hint", async () => {
    const file = join(tempDir(), "a-file");
    writeFileSync(file, "");
    let acted = false;
    const agent = doing(() => {
      acted = true;
      return "stop";
    });
    const error = await refusal(evaluate(tinyWorld(), agent, { outDir: file }));
    expect(error.code).toBe("cannot_write");
    expect(error.where).toContain(file);
    expect(error.hint).toContain("--out");
    expect(acted).toBe(false);
  });
});

describe("a disk that is full", () => {
  it.each([
    ["run.json", (name: string) => name.startsWith("run.json")],
    ["a trajectory", (name: string) => name.includes("d-a")],
    ["episodes.jsonl", (name: string) => name === "episodes.jsonl"],
    ["summary.json", (name: string) => name.startsWith("summary.json")],
  ])(
    "a disk that is full ends the run when %s cannot be written, and the error names the file",
    async (_what, full) => {
      await fillDisk(full);
      const outDir = tempDir();
      const error = await refusal(evaluate(tinyWorld(), "random", { outDir }));
      expect(error.describe()).toContain("no space left");
      expect(error.describe()).toContain(outDir);
    },
  );
});

describe("a run directory that is deleted during the run", () => {
  it("a run directory that is deleted during the run ends the run with an error that names it", async () => {
    const outDir = tempDir();
    const vandal = doing(() => {
      for (const name of readdirSync(outDir)) rmSync(join(outDir, name), { recursive: true });
      return "stop";
    });
    const error = await refusal(evaluate(tinyWorld(), vandal, { outDir }));
    expect(error.describe()).toContain(outDir);
  });
});

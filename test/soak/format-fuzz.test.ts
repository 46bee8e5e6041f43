import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { evidenceSize } from "../support/evidence.js";

const CHILD = fileURLToPath(new URL("../support/format-fuzz-child.mjs", import.meta.url));
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_301);
const HEAP_MB = 512;
/** Heap, and what buffers and WebAssembly may take besides. */
const MOST_MB = 1024;
/** A reader is ended after `ROBOT_EVAL_READ_SECONDS`; the rest is for a busy machine. */
const STUCK_MS = 60_000;

/** Mutants of each format. Those that are read in a child process take a hundred times as long. */
const COUNTS = {
  hdf5: evidenceSize({ full: 1000, soak: 60 }),
  lerobot: evidenceSize({ full: 1000, soak: 100 }),
  ...{ torch: 3000, glb: 2000, mjcf: 1000, mjcf_sizes: 400, json_gz: 2000, json: 2000 },
};

interface Mutant {
  readonly mutant: number;
  /** `value`, the code of an error of ours, or `FAULT` and anything else that was thrown. */
  readonly outcome: string;
}

interface Ended {
  readonly mutants: readonly Mutant[];
  readonly peakKb: number | undefined;
  readonly code: number | null;
}

/** Reads damaged files in a process with a small heap, which is killed when one of them takes too long. */
function fuzz(format: string, count: number): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-format-fuzz-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = [`--max-old-space-size=${HEAP_MB}`, CHILD, format, `${SEED}`, `${count}`, folder];
  const env = { ...process.env, ROBOT_EVAL_READ_SECONDS: "10", ROBOT_EVAL_READ_MEMORY_MB: "256" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  let stuck = setTimeout(() => child.kill("SIGKILL"), STUCK_MS);
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    clearTimeout(stuck);
    stuck = setTimeout(() => child.kill("SIGKILL"), STUCK_MS);
  });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(stuck);
      const lines = text.trim().split("\n").filter(Boolean);
      const documents = lines.map((line): Mutant | { readonly peakKb: number } => JSON.parse(line));
      const mutants = documents.filter((document) => "mutant" in document);
      const peak = documents.find((document) => "peakKb" in document);
      resolve({ mutants, peakKb: peak?.peakKb, code });
    });
  });
}

describe("damaged files", () => {
  it.each(Object.entries(COUNTS))(
    "damaged files of the format %s end in a value or an error of ours, within the limits of time and memory",
    async (format, count) => {
      const { mutants, peakKb = Number.NaN, code } = await fuzz(format, count);
      expect(mutants.filter(({ outcome }) => outcome.startsWith("FAULT"))).toEqual([]);
      expect({ code, read: mutants.length }).toEqual({ code: 0, read: count });
      expect(peakKb / 1024).toBeLessThan(MOST_MB);
    },
  );
});

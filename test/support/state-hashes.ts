import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { linesOf } from "./cli.js";
import { ROOT } from "./manipulation.js";

/** Initial and final hash, shortened, of each shipped episode with its reference agent, keyed by benchmark and episode. */
type StateHashes = Readonly<Record<string, Readonly<Record<string, string>>>>;

const GOLDEN: StateHashes = JSON.parse(
  readFileSync(join(ROOT, "test/golden/state-hashes.json"), "utf8"),
);

/** Checks that all episodes of a run begin and end in the recorded states, to the bit. */
export async function expectGoldenStates({ run_dir, benchmark }: RunResults): Promise<void> {
  const golden = GOLDEN[benchmark] ?? {};
  const lines = await linesOf(run_dir);
  const found = lines.map(({ episode_key, initial_state_hash, final_state_hash }) => [
    episode_key,
    `${initial_state_hash?.slice(0, 16)} ${final_state_hash?.slice(0, 16)}`,
  ]);
  expect(found.length).toBeGreaterThan(0);
  expect(found).toEqual(found.map(([key = ""]) => [key, golden[key]]));
}

// Writes the initial and final state hashes of runs to test/golden/state-hashes.json, which soak compares with.
// Needed only after the shipped episodes, their scenes or the physics changed on purpose; CONTRIBUTING.md has the runs.
//
//   node scripts/write-state-hashes.mjs <run directory>...
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Hexadecimal digits of a hash: 64 bits, which a changed state does not share by chance. */
const DIGITS = 16;

const file = fileURLToPath(new URL("../test/golden/state-hashes.json", import.meta.url));
const runs = process.argv.slice(2);
if (runs.length === 0) {
  console.error("no run given; usage: node scripts/write-state-hashes.mjs <run directory>...");
  process.exit(2);
}
const golden = JSON.parse(readFileSync(file, "utf8"));
for (const run of runs) {
  const { benchmark } = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
  const lines = readFileSync(join(run, "episodes.jsonl"), "utf8").trim().split("\n");
  const states = lines.map((line) => {
    const { episode_key, initial_state_hash, final_state_hash } = JSON.parse(line);
    return [
      episode_key,
      `${initial_state_hash.slice(0, DIGITS)} ${final_state_hash.slice(0, DIGITS)}`,
    ];
  });
  const all = { ...golden[benchmark.name], ...Object.fromEntries(states) };
  const order = new Intl.Collator("en", { numeric: true });
  const sorted = Object.entries(all).sort(([a], [b]) => order.compare(a, b));
  golden[benchmark.name] = Object.fromEntries(sorted);
}
writeFileSync(file, `${JSON.stringify(golden, null, 2)}\n`);

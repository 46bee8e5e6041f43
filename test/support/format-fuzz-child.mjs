// Reads damaged files of one format: node --max-old-space-size=N format-fuzz-child.mjs <format> <seed> <count> <folder>
// Prints a line of JSON for each, and at the end the most memory that the process had.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RobotEvalError } from "../../build/core/errors.js";
import { Random } from "../../build/core/math/random.js";
import { FUZZED } from "./format-fuzz-formats.mjs";

const [format, seed, count, folder] = process.argv.slice(2);
const { file, make, read, generate } = FUZZED[format];
const whole = Buffer.from(await make(folder));
const path = join(folder, file);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, whole);
await read(path, folder);

for (let i = 0; i < Number(count); i++) {
  const random = new Random(Number(seed) * 100_000 + i);
  writeFileSync(path, generate ? generate(random) : mutant(whole, random));
  const started = performance.now();
  let outcome = "value";
  try {
    await read(path, folder);
  } catch (error) {
    const isOurs = error instanceof RobotEvalError;
    outcome = isOurs ? error.code : `FAULT ${error?.stack ?? error}`;
  }
  print({ mutant: i, outcome, ms: Math.round(performance.now() - started) });
}
print({ peakKb: process.resourceUsage().maxRSS });
process.exit();

function print(document) {
  process.stdout.write(`${JSON.stringify(document)}\n`);
}

/** One to three changes: a cut, flipped bits, a length made huge, a part doubled, a part removed, zeros. */
function mutant(bytes, random) {
  let out = Buffer.from(bytes);
  const below = (n) => Math.floor(random.uniform() * Math.max(1, n));
  for (let left = 1 + below(3); left > 0; left--) {
    const at = below(out.length);
    const length = 1 + below(Math.min(4096, out.length - at));
    switch (below(7)) {
      case 0:
        out = out.subarray(0, at);
        break;
      case 1:
        for (let n = 1 + below(16); n > 0; n--) out[below(out.length)] ^= 1 << below(8);
        break;
      case 2:
        if (at + 4 <= out.length)
          out.writeUInt32LE([0xffffffff, 0x7fffffff, 0x10000000][below(3)], at);
        break;
      case 3:
        if (at + 8 <= out.length) out.writeBigUInt64LE(2n ** BigInt(20 + below(44)) - 1n, at);
        break;
      case 4:
        out = Buffer.concat([out.subarray(0, at + length), out.subarray(at)]);
        break;
      case 5:
        out = Buffer.concat([out.subarray(0, at), out.subarray(at + length)]);
        break;
      default:
        out.fill(0, at, at + length);
    }
    if (out.length === 0) return out;
    // `subarray` shares its bytes with the original.
    out = Buffer.from(out);
  }
  return out;
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../src/core/math/random.js";
import { ROOT } from "./manipulation.js";

/** Set by `npm run evidence`. */
const isFullSize = process.env.ROBOT_EVAL_EVIDENCE === "1";
const FOLDER = join(ROOT, "evidence");
/** Seed that selects the fraction that soak runs. */
const SAMPLE_SEED = 20_261;

/** The size of an experiment: full for `npm run evidence`, a fraction in soak. */
export function evidenceSize({ full, soak }: { readonly full: number; readonly soak: number }) {
  return isFullSize ? full : soak;
}

/** A `--filter` that selects the given number of ids from `first`, `first + 1`, ..., drawn with a fixed seed. */
export function sampledIds(count: number, { first = 0, of }: { first?: number; of: number }) {
  const ids = Array.from({ length: of }, (_, i) => first + i);
  const drawn = new Random(SAMPLE_SEED).shuffle(ids).slice(0, count);
  return `id=${drawn.join("|")}`;
}

/** Writes the results of a full-size experiment to `evidence/<name>.md`; does nothing in soak. */
export function writeEvidence(
  name: string,
  title: string,
  rows: readonly Readonly<Record<string, string | number>>[],
): void {
  if (!isFullSize) return;
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const table = [
    columns,
    columns.map(() => "---"),
    ...rows.map((row) => columns.map((c) => row[c] ?? "")),
  ];
  const text = [`# ${title}`, "", ...table.map(line), ""].join("\n");
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.md`), text);
  process.stdout.write(`${text}\n`);
}

import type { ResultsTable } from "./document.js";
import { outcomes, tableRun } from "./run.fixture.js";
import { resultsTable } from "./table.js";

/** Everything that means something in one of the formats. */
const HOSTILE =
  '=cmd|"/c calc"!A1 [2em] * \\input{/etc/passwd} & % $x^2_3$ #1 ~ {} <b>&amp;</b> | `a` ^^M --agent π0 é Ø 中文 🤖 \u001b[2J \u202e\n\nnext';

export const table = await resultsTable([
  tableRun({ agent: HOSTILE, lines: outcomes(40, 36) }),
  tableRun({ agent: "[2em] plain_policy", lines: outcomes(40, 4), info: { seed: 7 } }),
]);
/** `table` with these characters in all names and notes. */
export const hostileTable: ResultsTable = {
  ...table,
  benchmark: HOSTILE,
  tasks: table.tasks.map((columns) => ({ ...columns, task: HOSTILE, profile: HOSTILE })),
  footnotes: table.footnotes.map((note) => ({ ...note, text: HOSTILE })),
  notes: [...table.notes, HOSTILE],
};

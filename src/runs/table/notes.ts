import type { RunSummary } from "../../core/interfaces/result.js";
import { changedKeys } from "../compare/changed-keys.js";
import { coverageNotes } from "../compare/notes.js";
import type { ComparedRun } from "../compare/read-run.js";
import { ALPHA } from "../compare/verdict.js";
import { number, plural } from "../report/format.js";
import { selectionNotes } from "../report/notices.js";
import type { BestRows } from "./best.js";
import type { Footnote, TaskColumns } from "./document.js";

/** Keys that the name or another footnote of a row states. */
const STATED =
  /^(agent|name|tags(\..*)?|policies(\..*)?|selection(\..*)?|config\.evaluation\.(early_stop(\..*)?|repeats))$/;

/** Most keys that a footnote names. */
const NAMED_KEYS = 5;

/** A run with the summary that its row shows. */
export interface SummarisedRun {
  readonly run: ComparedRun;
  readonly summary: RunSummary;
}

export interface MarkedNotes {
  /** The marks of each row. */
  readonly marks: readonly (readonly string[])[];
  readonly footnotes: readonly Footnote[];
  /** Notes that hold for every row and so have no mark. */
  readonly common: readonly string[];
}

/** Gives equal notes of rows one mark: a, b, c, ... */
export function markNotes(notes: readonly (readonly string[])[]): MarkedNotes {
  const texts = [...new Set(notes.flat())];
  const isCommon = (text: string) => notes.every((own) => own.includes(text));
  const footnotes = texts
    .filter((text) => !isCommon(text))
    .map((text, i) => ({ mark: letters(i), text }));
  return {
    marks: notes.map((own) =>
      footnotes.filter(({ text }) => own.includes(text)).map(({ mark }) => mark),
    ),
    footnotes,
    common: texts.filter(isCommon),
  };
}

/** What a reader must know about one row: which episodes it covers, and what else differs from the first row. */
export function rowNotes(
  { run, summary }: SummarisedRun,
  first: ComparedRun,
  columns: readonly TaskColumns[],
): string[] {
  return [
    ...coverageNotes("the run", run).map(sentence),
    ...selectionNotes(run.info.selection, summary.selected),
    ...(run.repeats > 1
      ? [`Each episode was run up to ${run.repeats} times, and n counts the repeats.`]
      : []),
    ...faultNotes(summary, columns),
    ...differences(run, first),
  ];
}

/** What holds for the whole table: how to read a cell, what bold means, and the profiles. */
export function tableNotes(
  columns: readonly TaskColumns[],
  rows: number,
  { tests }: BestRows,
): string[] {
  const profiles = columns.flatMap(({ task, profile }) =>
    profile === null ? [] : [`${profile} (${task})`],
  );
  return [
    "Mean with its 95 % interval. n is the number of judged episodes; invalid episodes, in parentheses, are in no mean.",
    ...(rows > 1 ? [boldNote(tests)] : []),
    ...(profiles.length > 0 ? [`Metric profiles: ${profiles.join(", ")}.`] : []),
  ];
}

function boldNote({ primary, other }: BestRows["tests"]): string {
  const families = [
    primary > 0 ? `${plural(primary, "test")} of primary metrics` : "",
    other > 0 ? `${plural(other, "test")} of other metrics` : "",
  ].filter((text) => text !== "");
  if (families.length === 0) return "No value is bold, because no test was possible.";
  return `Bold: better than every other row in paired tests on the same episodes, p < ${ALPHA} after Holm's correction for ${families.join(" and separately for ")}.`;
}

/** Failures by a fault of the agent count as failures; the mean without them is stated beside it. */
function faultNotes({ per_task }: RunSummary, columns: readonly TaskColumns[]): string[] {
  return columns.flatMap(({ task, metrics }) =>
    metrics.flatMap(({ metric, primary }) => {
      const without = per_task[task]?.[metric]?.mean_without_agent_faults;
      return primary && without !== undefined
        ? [
            `Without episodes that a fault of the agent ended, ${metric} of ${task} is ${number(without)}.`,
          ]
        : [];
    }),
  );
}

function differences({ info }: ComparedRun, first: ComparedRun): string[] {
  const keys = changedKeys(first.info, info)
    .map(({ key }) => key)
    .filter((key) => !STATED.test(key));
  if (keys.length === 0) return [];
  const more = keys.length > NAMED_KEYS ? ` and ${keys.length - NAMED_KEYS} more settings` : "";
  return [`Differs from the first row in ${keys.slice(0, NAMED_KEYS).join(", ")}${more}.`];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** a, ..., z, aa, ab, ... */
function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}

import type { RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { plural } from "./format.js";
import type { RunReport } from "./read.js";

/** A caveat that affects how to read the numbers. */
export interface Notice {
  readonly level: "warning" | "info";
  readonly text: string;
}

/** Reasons why the numbers differ from those of a complete run of the whole benchmark. */
export function notices({ info, summary }: RunReport, missed: readonly string[]): Notice[] {
  return [
    ...missed.map((text) => warning(`Threshold missed: ${text}.`)),
    ...statusNotice(summary.status, summary.episodes.total),
    ...partialNotice(summary.partial),
    ...repeatNotice(summary.repeats ?? 1),
    ...earlyStopNotices(summary.early_stop ?? {}),
    ...selectionNotes(info.selection, summary.selected).map(notice),
    ...info.warnings.map((text) => notice(text)),
  ];
}

function statusNotice(status: string, total: number): Notice[] {
  const so = `The numbers cover the ${plural(total, "episode")} that had ended.`;
  switch (status) {
    case "done":
      return [];
    case "running":
      return [warning(`This run was not finished when the report was written. ${so}`)];
    case "cancelled":
      return [warning(`This run was cancelled before its end. ${so}`)];
    default:
      return [warning(`This run has the status "${status}". ${so}`)];
  }
}

function partialNotice(partial: RunReport["summary"]["partial"]): Notice[] {
  if (!partial) return [];
  return [
    warning(
      `This score is partial: ${partial.scored} of ${partial.of} episodes were scored. The others have no prediction and are in no number.`,
    ),
  ];
}

function repeatNotice(repeats: number): Notice[] {
  if (repeats <= 1) return [];
  return [
    notice(
      `Each episode was run ${repeats} times. Means are over all repeats, n counts them, and intervals account for the dependence between repeats of an episode.`,
    ),
  ];
}

function earlyStopNotices(stops: NonNullable<RunReport["summary"]["early_stop"]>): Notice[] {
  return Object.entries(stops).map(
    ([task, { metric, half_width, against, reached, counted, of }]) =>
      notice(
        against
          ? `${task} was run in a duel against ${against.join(", ")} and ${reached ? `stopped after ${counted} of ${of} episodes, when that was decided` : `not stopped before its ${of} episodes`}. The interval of ${metric} is valid at any stopping time.`
          : reached
            ? `${task} stopped early, after ${counted} of ${of} episodes, when the interval of ${metric} was within ±${half_width}. That interval is valid at any stopping time.`
            : `${task} was set to stop early when the interval of ${metric} is within ±${half_width}, but ran all ${of} episodes.`,
      ),
  );
}

/** Which of the benchmark's episodes were selected; empty if all were. */
export function selectionNotes(
  { limit, first, filter, shard }: RunInfo["selection"],
  selected: RunSummary["selected"],
): string[] {
  const parts = [
    ...(limit === undefined ? [] : [`at most ${limit} per task`]),
    ...(first === undefined ? [] : [`the first ${first} per task`]),
    ...(filter === undefined ? [] : [`those with ${filter}`]),
    ...(shard === undefined ? [] : [`shard ${shard}`]),
  ];
  if (parts.length === 0 && !selected) return [];
  const count = selected
    ? `${selected.episodes} of ${selected.of} episodes`
    : "part of its episodes";
  const how = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return [`Of the benchmark, only ${count} were selected${how}.`];
}

function warning(text: string): Notice {
  return { level: "warning", text };
}

function notice(text: string): Notice {
  return { level: "info", text };
}

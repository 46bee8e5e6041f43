import { dirname } from "node:path";
import type {
  FaultyEpisode,
  MetricSummary,
  MetricTable,
  RunResults,
  RunSummary,
} from "../core/interfaces/result.js";
import { agentText } from "../core/policy-identity.js";
import { cutLong } from "../core/text.js";
import { interval, number, plural, shellWord } from "../runs/report/format.js";
import { withoutHints } from "./hints.js";
import { paint, table } from "./output.js";

const SHOWN_REASONS = 5;

/** A run's summary for people: one table per task, then the invalid episodes with their reasons. */
export function resultText(summary: RunSummary): string {
  const { success, failure, invalid } = summary.episodes;
  const blocks = [
    paint("bold", `${summary.benchmark} · agent ${agentText(summary)}`),
    ...labelLines(summary),
    `${counted(summary)}: ${success} success, ${failure} failure, ${invalid} invalid`,
    ...partialText(summary),
  ];
  for (const [task, metrics] of Object.entries(summary.per_task)) {
    blocks.push("", `${task} (profile ${summary.profiles[task] ?? "?"})`, metricTable(metrics));
  }
  const pooled = Object.entries(summary.aggregated_metrics).filter(([, m]) => m.pooling);
  if (pooled.length > 0) {
    blocks.push("", "all tasks, each weighing the same", metricTable(Object.fromEntries(pooled)));
  }
  blocks.push(...stopTexts(summary));
  if (invalid > 0) {
    blocks.push(
      "",
      faultyText(plural(invalid, "invalid episode"), invalid, summary.invalid_episodes),
    );
  }
  const brokenOff = summary.broken_off_episodes;
  if (brokenOff.length > 0) {
    const title = `${plural(brokenOff.length, "failure")} because the agent broke off`;
    blocks.push("", faultyText(title, brokenOff.length, brokenOff));
  }
  return blocks.join("\n");
}

function labelLines({ name, tags = {} }: RunSummary): string[] {
  const pairs = Object.entries(tags).map((tag) => tag.join("="));
  return [
    ...(name === undefined ? [] : [`name: ${name}`]),
    ...(pairs.length === 0 ? [] : [`tags: ${pairs.join(", ")}`]),
  ];
}

/** Counts each repeat of an episode. */
function counted({ episodes: { total }, repeats, partial, selected }: RunSummary): string {
  if (partial) return `${total} of ${partial.of} episodes (partial)`;
  const times = repeats === undefined || repeats === 1 ? [] : [`${repeats} runs of each`];
  if (selected && times.length === 0 && selected.episodes === total) {
    return `${total} of ${selected.of} episodes`;
  }
  const part = selected ? [`${selected.episodes} of ${selected.of} were selected`] : [];
  const notes = [...times, ...part].join(", ");
  const count = plural(total, "episode");
  return notes === "" ? count : `${count} (${notes})`;
}

function partialText({ partial }: RunSummary): string[] {
  if (!partial) return [];
  const missing = partial.of - partial.scored;
  const rest = `${missing} ${missing === 1 ? "episode has" : "episodes have"} no prediction and`;
  return [
    `${paint("yellow", "partial")}: ${rest} ${missing === 1 ? "is" : "are"} not in these numbers`,
  ];
}

function stopTexts({ early_stop = {} }: RunSummary): string[] {
  const stops = Object.entries(early_stop).map(([task, stop]) => {
    const { reached, counted: n, of, metric, half_width, against } = stop;
    if (against) {
      const other = against.join(", ");
      return reached
        ? `${task} was stopped by a duel against ${other} after ${n} of ${of} episodes`
        : `${task} was run in a duel against ${other} and not stopped before its ${of} episodes`;
    }
    return reached
      ? `${task} stopped after ${n} of ${of} episodes: ${metric} is known to within ${half_width}`
      : `${task} did not stop early: ${metric} is not known to within ${half_width} after ${n} of ${of} episodes`;
  });
  return stops.length > 0
    ? ["", ...stops, "intervals of these metrics hold whenever a task stops"]
    : [];
}

function metricTable(metrics: MetricTable): string {
  const rows = Object.entries(metrics).map(([name, m]) => [
    `  ${name}`,
    number(m.mean),
    interval(m.ci95),
    String(m.count),
    m.unit === "1" ? "" : m.unit,
    notes(m),
  ]);
  return table(["  metric", "mean", "95 % interval", "n", "unit", ""], rows);
}

function notes(m: MetricSummary): string {
  const parts: string[] = [];
  if (m.repeat_means && m.repeat_means.length > 1) {
    const means = m.repeat_means.flatMap((mean) => mean ?? []);
    parts.push(`runs from ${number(Math.min(...means))} to ${number(Math.max(...means))}`);
  }
  if (m.n_invalid > 0) parts.push(`${m.n_invalid} invalid not counted`);
  if (m.mean_without_agent_faults !== undefined) {
    parts.push(`${number(m.mean_without_agent_faults)} without agent faults`);
  }
  return parts.join(", ");
}

function faultyText(title: string, count: number, episodes: readonly FaultyEpisode[]): string {
  const groups = new Map<string, string[]>();
  for (const { episode_key: key, fault, code, message } of episodes) {
    const reason = `${fault} fault, ${code}: ${message}`;
    groups.set(reason, [...(groups.get(reason) ?? []), key]);
  }
  const shown = [...groups].slice(0, SHOWN_REASONS);
  const { texts: lines, hints } = withoutHints(
    shown.map(([reason, [first = "", ...others]]) => {
      const rest = others.length > 0 ? ` and ${others.length} more` : "";
      return `  ${cutLong(first)}${rest}: ${reason}`;
    }),
  );
  const more = count - shown.reduce((sum, [, keys]) => sum + keys.length, 0);
  return [
    paint("yellow", title),
    ...lines,
    ...(more > 0 ? [`  and ${more} more, in episodes.jsonl`] : []),
    ...hints.map((hint) => `  ${hint}`),
  ].join("\n");
}

/** The last line of every command that writes a run. */
export function whereText({ run_dir }: RunResults): string {
  return run_dir === null
    ? "nothing was written"
    : `run directory: ${run_dir}   look at it: robot-eval view ${shellWord(dirname(run_dir))}`;
}

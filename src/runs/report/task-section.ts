import type { MetricSummary, MetricTable } from "../../core/interfaces/result.js";
import type { GroupRate } from "../summary/group-rates.js";
import { axisOf, intervalBar, outcomeBar, outcomeText, RATE_AXIS } from "./bars.js";
import { duration, intervalNote, number } from "./format.js";
import { agentFaultNotes, anchor, countNotes } from "./headline.js";
import { breakable, type Html, html, type Part } from "./html.js";
import { type RunReport, type TaskReport, total } from "./read.js";
import { inParts, table, withNote } from "./tables.js";

const FIRST_GROUPS = 10;
const MOST_GROUPS = 200;
const MOST_ENDINGS = 12;
/** With metric names of at least this many letters, notes move below the numbers to save width. */
const LONG_NAME = 20;

/** Everything about one task: its metrics, how its episodes ended, and its weakest groups of episodes. */
export function taskSection(
  report: RunReport,
  task: TaskReport,
  objects: readonly GroupRate[],
): Html {
  const { summary } = report;
  const metrics = summary.per_task[task.name] ?? {};
  const profile = summary.profiles[task.name];
  const about = [task.type !== task.name && task.type, profile && `profile ${profile}`];
  return html`<section id="${anchor(task.name)}" class="task">
<h3>${task.name} <span>${about.filter(Boolean).join(" · ")}</span></h3>
${metricTable(task.name, metrics)}
<div class="columns">
${endingTable(task)}
${task.latency && latencyNote(task.latency)}
${groupTable("scene", task.scenes)}
${groupTable("object", objects)}
</div>
</section>
`;
}

function metricTable(task: string, metrics: MetricTable): Html {
  const rows = Object.entries(metrics).map(([name, metric]): Part[] => [
    withNote(breakable(name), unitNote(metric)),
    onAxis(metric),
    withNote(number(metric.mean), intervalNote(metric.ci95), ...agentFaultNotes(metric)),
    withNote(metric.count, ...countNotes(metric).filter((note) => note !== "0 invalid")),
    withNote(
      number(metric.std),
      metric.count > 0 ? `${number(metric.min)} to ${number(metric.max)}` : "",
    ),
    withNote(
      metric.ci_method.replaceAll("_", " "),
      metric.repeat_means ? `by repeat: ${metric.repeat_means.map(number).join(", ")}` : "",
    ),
  ]);
  return table(
    `Metrics of ${task} with their 95 % intervals`,
    [
      { title: "metric" },
      { title: "interval", kind: "drawing" },
      { title: "mean", kind: "number" },
      { title: "n", kind: "number" },
      { title: "std, range", kind: "number", extra: true },
      { title: "interval by", extra: true },
    ],
    rows,
    { caption: "hidden" },
  );
}

function unitNote({ unit, direction }: MetricSummary): string {
  const better = { higher: "higher is better", lower: "lower is better", none: "" }[direction];
  return [unit === "1" ? "" : unit, better].filter((part) => part !== "").join(", ");
}

/** Writes the scale below the bar unless it is 0 to 1. */
function onAxis(metric: MetricSummary): Html {
  const axis = axisOf(metric);
  const ends =
    axis === RATE_AXIS
      ? null
      : html`<span class="ends"><span>${number(axis.low)}</span><span>${number(axis.high)}</span></span>`;
  return html`${intervalBar(metric, axis)}${ends}`;
}

function endingTable({ endings, outcomes }: TaskReport): Html {
  const of = Math.max(1, ...endings.map((ending) => total(ending.outcomes)));
  const rows = endings
    .slice(0, MOST_ENDINGS)
    .map((ending): Part[] => [
      withNote(ending.reason.replaceAll("_", " "), outcomeText(ending.outcomes)),
      outcomeBar(ending.outcomes, of),
      total(ending.outcomes),
    ]);
  return html`<div>${table(
    html`How episodes ended: ${outcomeText(outcomes)}`,
    [{ title: "end" }, { title: "outcomes", kind: "drawing" }, { title: "n", kind: "number" }],
    rows,
  )}</div>`;
}

function latencyNote({ p50, p95, p99, n }: NonNullable<TaskReport["latency"]>): Html {
  return html`<div><p class="note">Agent latency over ${n} answers</p>
<dl class="facts"><div><dt>p50</dt><dd>${duration(p50)}</dd></div><div><dt>p95</dt><dd>${duration(p95)}</dd></div><div><dt>p99</dt><dd>${duration(p99)}</dd></div></dl></div>`;
}

function groupTable(what: "scene" | "object", groups: readonly GroupRate[]): Html | null {
  if (groups.every(({ count }) => count === 0)) return null;
  const long = groups.some(({ name }) => name.length > LONG_NAME);
  const columns = [
    { title: what },
    { title: "0 to 1", kind: "drawing" },
    { title: "success", kind: "number" },
    { title: "n", kind: "number" },
  ] as const;
  const draw = (rates: readonly GroupRate[], which: "first" | "rest") =>
    table(
      `Success by ${what}, worst first, with Wilson 95 % intervals`,
      columns,
      rates.map((rate): Part[] => [
        breakable(rate.name),
        intervalBar(rate),
        withNote(number(rate.mean), intervalNote(rate.ci95)),
        withNote(rate.count, rate.invalid > 0 ? `${rate.invalid} invalid` : ""),
      ]),
      { ...(which === "rest" && { caption: "hidden" }), ...(!long && { compact: true }) },
    );
  return html`<div>${inParts(groups, FIRST_GROUPS, MOST_GROUPS, draw, `${what}s`)}</div>`;
}

import type { MetricSummary, RunSummary } from "../../core/interfaces/result.js";
import { intervalBar, OUTCOMES, outcomeBar } from "./bars.js";
import { interval, intervalNote, number, plural } from "./format.js";
import { breakable, type Html, html, type Part } from "./html.js";
import type { RunReport, TaskReport } from "./read.js";
import { table, withNote } from "./tables.js";

/** The primary metric of one task, or of several tasks that share it. */
export interface Headline {
  readonly tasks: string;
  readonly metric: string;
  readonly summary: MetricSummary;
}

export function taskHeadlines({ per_task, primary_metrics }: RunSummary): Headline[] {
  return Object.entries(per_task).flatMap(([task, metrics]) => {
    const metric = primary_metrics[task] ?? "";
    const summary = metrics[metric];
    return summary ? [{ tasks: task, metric, summary }] : [];
  });
}

/** Primary metrics pooled over several tasks, each with equal weight. */
export function pooledHeadlines(summary: RunSummary): Headline[] {
  const primary = new Set(Object.values(summary.primary_metrics));
  return [...primary].flatMap((metric) => {
    const pooled = summary.aggregated_metrics[metric];
    if (!pooled?.pooling) return [];
    const tasks = Object.entries(summary.primary_metrics).filter(([, name]) => name === metric);
    return [{ tasks: `mean of ${tasks.length} tasks`, metric, summary: pooled }];
  });
}

export function headlineSection({ summary, tasks }: RunReport): Html {
  const own = taskHeadlines(summary);
  const pooled = pooledHeadlines(summary);
  const large = pooled.length > 0 ? pooled : own.slice(0, 4);
  return html`<section id="headline" aria-labelledby="h-headline">
<h2 id="h-headline" class="unseen">Headline</h2>
<div class="numbers">${large.map((headline) => largeNumber(headline))}${outcomesCard(summary)}</div>
${own.length > 1 && byTask([...own, ...pooled], tasks)}
</section>
`;
}

function largeNumber({ tasks, metric, summary }: Headline): Html {
  const { mean, ci95, unit } = summary;
  return html`<div class="card number-card">
<h3>${metric} <span>${tasks}</span></h3>
<p class="large">${number(mean)}${unit !== "1" && mean !== null && html` <span>${unit}</span>`}</p>
${intervalBar(summary)}
<p>95 % interval <b>${interval(ci95)}</b></p>
<p class="note">${countNote(summary)}</p>
</div>
`;
}

/** Number of episodes behind the value, always with the number of invalid ones. */
function countNote(summary: MetricSummary): string {
  const { count, pooling } = summary;
  const parts = [`n ${count}`, ...countNotes(summary), ...agentFaultNotes(summary)];
  return [...parts, ...(pooling ? ["each task has equal weight"] : [])].join(" · ");
}

export function countNotes({ n_invalid, n_episodes }: MetricSummary): string[] {
  const repeated = n_episodes === undefined ? [] : [plural(n_episodes, "episode")];
  return [...repeated, `${n_invalid} invalid`];
}

export function agentFaultNotes({ mean_without_agent_faults: without }: MetricSummary): string[] {
  return without === undefined ? [] : [`${number(without)} without agent faults`];
}

function outcomesCard({ episodes, partial }: RunSummary): Html {
  return html`<div class="card number-card">
<h3>episodes <span>that ended</span></h3>
<p class="large">${episodes.total}${partial && html` <span>of ${partial.of}</span>`}</p>
${outcomeBar(episodes, episodes.total)}
<p class="legend">${OUTCOMES.map((outcome) => html`<span><i class="${outcome}"></i>${episodes[outcome]} ${outcome}</span>`)}</p>
${episodes.invalid > 0 && html`<p class="note">Invalid episodes count neither as success nor as failure.</p>`}
</div>
`;
}

function byTask(headlines: readonly Headline[], tasks: readonly TaskReport[]): Html {
  const known = new Map(tasks.map((task) => [task.name, task]));
  const rows = headlines.map(({ tasks: name, metric, summary }): Part[] => {
    const task = known.get(name);
    const label = task ? html`<a href="#${anchor(name)}">${breakable(name)}</a>` : name;
    return [
      withNote(label, metric),
      intervalBar(summary),
      withNote(number(summary.mean), intervalNote(summary.ci95)),
      withNote(summary.count, ...countNotes(summary)),
    ];
  });
  return table(
    "Primary metric of each task, with its 95 % interval on a scale from 0 to 1",
    [
      { title: "task" },
      { title: "0 to 1", kind: "drawing" },
      { title: "mean", kind: "number" },
      { title: "n", kind: "number" },
    ],
    rows,
    { compact: true },
  );
}

/** The id of a task's section, encoded because task names may contain any character. */
export function anchor(task: string): string {
  return `task-${encodeURIComponent(task)}`;
}

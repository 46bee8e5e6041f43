import type { EpisodeLine } from "../../core/interfaces/result.js";
import { lineName } from "../directory/line-name.js";
import { outcomeText } from "./bars.js";
import { duration, number, plural } from "./format.js";
import { breakable, type Html, html, type Part } from "./html.js";
import { Illustrator } from "./picture.js";
import { replayCommand } from "./provenance.js";
import type { RunReport } from "./read.js";
import { table, withNote } from "./tables.js";

const LONGEST_TEXT = 600;

/** The worst episodes, each with its map, video or plot. */
export async function worstSection(report: RunReport): Promise<Html> {
  const { run, info, worst, summary } = report;
  const illustrator = new Illustrator(report);
  const cards: Html[] = [];
  for (const line of worst)
    cards.push(await card(line, illustrator, replayCommand(info, line, run.path)));
  const failures = worst.filter(({ outcome }) => outcome === "failure").length;
  const which =
    failures === worst.length
      ? `${plural(failures, "failure")} of ${summary.episodes.failure}`
      : `${plural(failures, "failure")}, then the weakest successes`;
  return html`<section id="worst" aria-labelledby="h-worst">
<h2 id="h-worst">Worst episodes</h2>
${
  worst.length === 0
    ? html`<p>No episode has a valid result.</p>`
    : html`<p class="note">${which}. Ordered by distance from the run's best values, averaged over all metrics of the task; tasks alternate.</p>`
}
<div class="cards">
${cards}</div>
</section>
`;
}

async function card(
  line: EpisodeLine,
  illustrator: Illustrator,
  replay: string | null,
): Promise<Html> {
  const { instruction, object, pictures } = await illustrator.draw(line);
  const metrics = Object.entries(line.metrics).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${number(value)}</dd></div>`,
  );
  return html`<article class="card episode">
<h3>${breakable(lineName(line.episode_key, line.repeat))}</h3>
<p><span class="chip ${line.outcome}">${line.outcome}</span> ${shortened(line.explanation)}</p>
${instruction && html`<blockquote>${shortened(instruction)}</blockquote>`}
${pictures}
<dl class="facts">${object !== undefined && html`<div><dt>object</dt><dd>${object}</dd></div>`}${metrics}<div><dt>end</dt><dd>${words(line.end_reason)}</dd></div><div><dt>steps</dt><dd>${line.steps}</dd></div>${
    line.wall_ms > 0 && html`<div><dt>time</dt><dd>${duration(line.wall_ms)}</dd></div>`
  }</dl>
<details><summary>Hashes and replay</summary>
<dl class="hashes"><dt>initial state</dt><dd><code>${line.initial_state_hash ?? "none recorded"}</code></dd><dt>final state</dt><dd><code>${line.final_state_hash ?? "none recorded"}</code></dd><dt>seed</dt><dd><code>${line.seed}</code></dd></dl>
${replay !== null && html`<pre>${replay}</pre>`}
</details>
</article>
`;
}

/** The failures of all tasks in one searchable table. */
export function failuresSection({ tasks, summary }: RunReport): Html | null {
  const lines = tasks.flatMap(({ failures }) => failures);
  if (lines.length === 0) return null;
  const all = summary.episodes.failure;
  const rows = lines.map((line): Part[] => [
    breakable(lineName(line.episode_key, line.repeat)),
    html`${shortened(line.explanation)}${line.fault && html` <span class="chip">${line.fault} fault</span>`}`,
    words(line.end_reason),
    line.steps,
  ]);
  const listed =
    lines.length < all
      ? `The worst ${lines.length} of ${all} failures`
      : `All ${plural(all, "failure")}`;
  return html`<section id="failures" aria-labelledby="h-failures">
<h2 id="h-failures">Failures</h2>
<details><summary>${listed}</summary>
<p class="filter" hidden><label>Show only rows with <input type="search" data-filter="failure-table"></label> <output></output></p>
${table(
  "Failed episodes, worst first within a task",
  [
    { title: "episode" },
    { title: "why" },
    { title: "end", extra: true },
    { title: "steps", kind: "number", extra: true },
  ],
  rows,
  { id: "failure-table" },
)}
</details>
</section>
`;
}

export function slowestSection({ slowest, summary }: RunReport): Html | null {
  if (slowest.length === 0) return null;
  const { wall_ms, sim_ms, agent_ms, steps, agent_latency_ms: latency } = summary.timings;
  const rows = slowest.map((line): Part[] => [
    breakable(lineName(line.episode_key, line.repeat)),
    duration(line.wall_ms),
    duration(line.sim_ms),
    duration(line.agent_ms),
    line.steps,
  ]);
  return html`<section id="time" aria-labelledby="h-time">
<h2 id="h-time">Time</h2>
<dl class="facts wide"><div><dt>episodes, added up</dt><dd>${duration(wall_ms)}</dd></div><div><dt>in the simulator</dt><dd>${duration(sim_ms)}</dd></div><div><dt>waiting for the agent</dt><dd>${duration(agent_ms)}</dd></div><div><dt>steps</dt><dd>${steps}</dd></div>${
    latency &&
    html`<div><dt>agent, median</dt><dd>${duration(latency.p50)}</dd></div><div><dt>95th percentile</dt><dd>${duration(latency.p95)}</dd></div><div><dt>99th percentile</dt><dd>${duration(latency.p99)}</dd></div>`
  }</dl>
${table(
  "Slowest episodes",
  [
    { title: "episode" },
    { title: "total", kind: "number" },
    { title: "simulator", kind: "number" },
    { title: "agent", kind: "number" },
    { title: "steps", kind: "number" },
  ],
  rows,
)}
</section>
`;
}

/** Errors other than failing the task, and which side caused them. */
export function faultSection({ faults }: RunReport): Html | null {
  if (faults.length === 0) return null;
  const rows = faults.map(({ fault, code, message, outcomes, examples }): Part[] => [
    withNote(breakable(code), `${fault} fault`),
    message,
    outcomeText(outcomes),
    withNote("", ...examples),
  ]);
  return html`<section id="faults" aria-labelledby="h-faults">
<h2 id="h-faults">Faults</h2>
${table(
  "Invalid episodes, and failures caused by agent faults, grouped by message",
  [{ title: "what" }, { title: "message" }, { title: "episodes" }, { title: "such as" }],
  rows,
)}
</section>
`;
}

function words(name: unknown): string {
  return String(name).replaceAll("_", " ");
}

function shortened(text: unknown): string {
  const whole = String(text ?? "");
  return whole.length > LONGEST_TEXT ? `${whole.slice(0, LONGEST_TEXT)}…` : whole;
}

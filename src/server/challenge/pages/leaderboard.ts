import { type Axis, intervalBar, RATE_AXIS } from "../../../runs/report/bars.js";
import { number } from "../../../runs/report/format.js";
import { type Html, html, type Part } from "../../../runs/report/html.js";
import type {
  LeaderboardDocument,
  LeaderboardRow,
  PhaseDocument,
  Score,
} from "../http/documents.js";
import type { PageContext } from "./context.js";
import { day, pText, scoreText } from "./format.js";
import { layout, phaseTabs } from "./layout.js";
import { phaseFacts } from "./phase.js";

/** The leaderboard of a phase, with an explanation. */
export function leaderboardPage(context: PageContext, document: LeaderboardDocument): string {
  const { t } = context;
  const { phase, rows } = document;
  const axis = sharedAxis(rows.flatMap(({ scores }) => scores[phase.leaderboard] ?? []));
  const body = html`<div class="hero"><h1>${t("leaderboard")}</h1>
${context.description !== "" && html`<p class="lead">${context.description}</p>`}
${phaseTabs(context, phase.name, "table")}
${phase.description !== "" && html`<p class="lead">${phase.description}</p>`}
${phaseFacts(context, phase, rows.length)}</div>
<section id="table" class="card" data-live aria-live="polite" aria-label="${t("leaderboard")}">
${rows.length === 0 ? nothingYet(context, phase) : table(context, document, axis)}
</section>
<section class="reading" aria-labelledby="h-reading">
<h2 id="h-reading">${t("reading")}</h2>
<ul><li>${t("reading_interval")} ${rows.length > 0 && t("reading_scale", { low: axisLabel(axis.low), high: axisLabel(axis.high) })}</li>
${(["reading_alike", "reading_ties", "reading_best"] as const).map((key) => html`<li>${t(key)}</li>`)}</ul>
<p class="note"><a href="/api/phases/${encodeURIComponent(phase.name)}/leaderboard.json">${t("raw")}</a> · ${t("updated")}</p>
</section>`;
  return layout(context, `${t("leaderboard")} · ${phase.name}`, body, { phase: phase.name });
}

function nothingYet({ t }: PageContext, { state }: PhaseDocument): Html {
  if (state === "closed") return html`<p class="empty">${t("no_rows_ever")}</p>`;
  return html`<div class="empty"><p>${t("no_rows")}</p><p class="note">${t("no_rows_hint")}</p></div>`;
}

function table(context: PageContext, { phase, rows }: LeaderboardDocument, axis: Axis): Html {
  const { t } = context;
  const metric = phase.leaderboard;
  const others = phase.metrics.filter((name) => name !== metric);
  const [first] = rows;
  const direction = first?.scores[metric]?.direction;
  const better =
    direction === "lower" ? t("lower_better") : direction === "higher" ? t("higher_better") : null;
  return html`<table class="standings">
<thead><tr>
<th scope="col" class="rank">${t("rank")}</th>
<th scope="col">${t("team")}</th>
<th scope="col" colspan="2" class="score">${t("score_heading", { metric })}${better && html` <span class="note">${better}</span>`}</th>
${others.map((name) => html`<th scope="col" class="number wide">${name}</th>`)}
<th scope="col" class="number wide"><abbr title="${t("episodes_title")}">${t("episodes_heading")}</abbr></th>
<th scope="col" class="wide when">${t("submitted")}</th>
</tr></thead>
<tbody>${rows.map((row) => tableRow(context, row, { metric, others, axis }))}</tbody>
</table>`;
}

interface Columns {
  /** The metric that the table is sorted by. */
  readonly metric: string;
  readonly others: readonly string[];
  readonly axis: Axis;
}

function tableRow(
  context: PageContext,
  row: LeaderboardRow,
  { metric, others, axis }: Columns,
): Html {
  const { t, language } = context;
  const score = row.scores[metric];
  const alike = row.above !== null && !row.above.distinguishable;
  const kinds = [alike && "alike", row.rank <= 3 && `place-${row.rank}`].filter(Boolean).join(" ");
  return html`<tr class="${kinds}">
<td class="rank"><span class="badge">${row.rank}</span>${row.tied && html`<span class="note tied">${t("tied")}</span>`}</td>
<th scope="row">${alike && mark(context, row)}<span class="team">${row.team}</span>
${pieces([row.affiliation, row.submission, row.policy, attempts(context, row)])}
<span class="narrow">${pieces([...others.map((name) => otherPiece(name, row.scores[name])), countText(context, score), day(row.submitted_at, language)])}</span></th>
<td class="bar wide">${score && intervalBar(score, axis)}</td>
<td class="number score">${score && scoreText(score)}<span class="narrow">${score && intervalBar(score, axis)}</span></td>
${others.map((name) => otherCell(row.scores[name]))}
<td class="number wide">${score?.n ?? ""}${score && score.n_invalid > 0 && html`<span class="note">${t("invalid", { n: score.n_invalid })}</span>`}</td>
<td class="wide when">${day(row.submitted_at, language)}</td>
</tr>
`;
}

function otherCell(score: Score | undefined): Html {
  return html`<td class="number wide other">${score && scoreText(score)}</td>`;
}

function otherPiece(name: string, score: Score | undefined): Html | string {
  return score ? html`${name} ${number(score.mean)}` : "";
}

/** Parts that wrap as a whole. */
function pieces(parts: readonly (Html | string)[]): Html {
  const there = parts.filter((part) => part !== "");
  return html`<span class="note pieces">${there.map((part) => html`<span class="piece">${part}</span> `)}</span>`;
}

function mark({ t }: PageContext, { above }: LeaderboardRow): Part {
  const p = above?.p_holm;
  const tested =
    typeof p === "number" && html` <span class="p">${t("alike_p", { p: pText(p) })}</span>`;
  return html`<span class="mark"><span aria-hidden="true">≈</span> ${t("alike")}${tested}</span>`;
}

function attempts({ t }: PageContext, { attempts: n }: LeaderboardRow): string {
  return n === 1 ? t("only_one") : t("best_of", { n });
}

function countText({ t }: PageContext, score: Score | undefined): string {
  if (!score) return "";
  const invalid = score.n_invalid > 0 ? `, ${t("invalid", { n: score.n_invalid })}` : "";
  return `n = ${score.n}${invalid}`;
}

/** Label of an axis end, such as `0` or `7.94`. */
function axisLabel(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** One axis for all rows, so that their bars are comparable. */
function sharedAxis(scores: readonly Score[]): Axis {
  const ends = scores.flatMap(({ mean, ci95 }) => [
    ...(ci95 ?? []),
    ...(mean === null ? [] : [mean]),
  ]);
  const low = Math.min(0, ...ends);
  const high = Math.max(...ends, low);
  if (scores.every(({ unit }) => unit === "1") && low >= 0 && high <= 1) return RATE_AXIS;
  return high > low ? { low, high } : { low, high: low + 1 };
}

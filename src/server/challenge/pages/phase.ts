import { type Html, html, type Part } from "../../../runs/report/html.js";
import type { PhaseDocument } from "../http/documents.js";
import type { PageContext } from "./context.js";
import { moment } from "./format.js";
import { layout, phaseTabs } from "./layout.js";

/** Description, times and limits of a phase. */
export function phasePage(context: PageContext, phase: PhaseDocument): string {
  const { t } = context;
  const { total, per_day } = phase.max_submissions;
  const metric = (name: string): Part =>
    html`<li><code>${name}</code>${name === phase.leaderboard && html` <span class="note inline">${t("sorted_by")}</span>`}</li>`;
  const body = html`<div class="hero"><h1>${phase.name}</h1>
${phaseTabs(context, phase.name, "about")}
${phase.description !== "" && html`<p class="lead">${phase.description}</p>`}
${phaseFacts(context, phase)}</div>
<div class="cards">
${card(t("limits"), html`<p>${t("limits_text", { total, per_day })}</p>`)}
${card(t("metrics"), html`<ul class="plain">${phase.metrics.map(metric)}</ul>`)}
${card(t("what_is_hidden"), html`<p>${phase.hidden ? t("hidden_text") : t("practice_text")}</p>`)}
${card(t("connect"), html`<p>${t("connect_text")}</p><code class="address">${context.agentAddress}?phase=${phase.name}</code>`)}
</div>`;
  return layout(context, phase.name, body);
}

function card(title: string, body: Html): Html {
  return html`<section class="card"><h2>${title}</h2>${body}</section>
`;
}

/** One line with the phase's state, times and kind. */
export function phaseFacts(context: PageContext, phase: PhaseDocument, teams?: number): Html {
  const { t } = context;
  const facts: Part[] = [
    html`<span class="state ${phase.state}">${t(`state_${phase.state}`)}</span>`,
    ...phaseTimes(context, phase),
    teams !== undefined && (teams === 1 ? t("one_team") : t("many_teams", { n: teams })),
    phase.hidden ? t("hidden") : t("practice"),
  ].filter((fact) => fact !== false);
  return html`<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`;
}

/** The opening or closing time that matters now. */
export function phaseTimes(
  { t, language }: PageContext,
  { opens, closes, state }: PhaseDocument,
): Part[] {
  if (opens === null && closes === null) return [t("always")];
  const times: Part[] = [];
  if (opens !== null && state === "before") times.push(placed(t("opens"), moment(opens, language)));
  if (closes !== null) {
    const text = state === "closed" ? t("closed_at") : t("closes");
    times.push(placed(text, moment(closes, language)));
  } else if (opens !== null && state !== "before") {
    times.push(placed(t("opened"), moment(opens, language)));
  }
  return times;
}

/** Inserts the time at the position of `{time}` in the message. */
function placed(text: string, time: Html): Html {
  const [before = "", after = ""] = text.split("{time}");
  return html`${before}${time}${after}`;
}

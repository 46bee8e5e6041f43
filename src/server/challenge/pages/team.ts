import { intervalBar } from "../../../runs/report/bars.js";
import { type Html, html } from "../../../runs/report/html.js";
import type { QuotaDocument, Scores, SubmissionDocument, TeamDocument } from "../http/documents.js";
import type { SubmissionState } from "../store/store.js";
import type { PageContext } from "./context.js";
import { moment, scoreText } from "./format.js";
import { layout, phaseAddress } from "./layout.js";
import { phaseTimes } from "./phase.js";

/** A team's submissions and remaining quota. */
export function teamPage(context: PageContext, document: TeamDocument): string {
  const { t } = context;
  const { team, affiliation, quotas, submissions } = document;
  const body = html`<div class="hero with-action"><h1>${team}</h1>
${affiliation !== "" && html`<p class="lead">${affiliation}</p>`}
<form method="post" action="/sign-out"><button type="submit">${t("sign_out")}</button></form></div>
<div id="quotas" class="cards quotas" data-live>${quotas.map((quota) => quotaCard(context, quota))}</div>
<section id="submissions" class="card" data-live aria-labelledby="h-submissions">
<h2 id="h-submissions">${t("submissions")}</h2>
${submissions.length === 0 ? html`<p class="empty">${t("no_submissions")}</p>` : table(context, submissions)}
</section>`;
  return layout(context, team, body, { submissions: true });
}

function quotaCard(context: PageContext, quota: QuotaDocument): Html {
  const { t } = context;
  const phase = context.phases.find(({ name }) => name === quota.phase);
  const left = Math.max(0, quota.total - quota.used);
  const today = Math.min(left, Math.max(0, quota.per_day - quota.used_today));
  // The remaining quota is hidden if the phase is not open.
  const tries = html`<p>${t("quota_today", { left: today, total: quota.per_day })}</p>
<p class="note">${t("quota_left", { left, total: quota.total })}</p>`;
  return html`<section class="card"><h2><a href="${phaseAddress(quota.phase)}">${quota.phase}</a>
${phase && phase.state !== "open" && html`<span class="state ${phase.state}">${t(`state_${phase.state}`)}</span>`}</h2>
${!phase || phase.state === "open" ? tries : phaseTimes(context, phase).map((time) => html`<p class="note">${time}</p>`)}</section>
`;
}

function table(context: PageContext, submissions: readonly SubmissionDocument[]): Html {
  const { t } = context;
  return html`<table class="submissions"><thead><tr>
<th scope="col">${t("submission")}</th><th scope="col">${t("state")}</th><th scope="col">${t("result")}</th>
</tr></thead><tbody>${submissions.map((submission) => row(context, submission))}</tbody></table>`;
}

function row(context: PageContext, submission: SubmissionDocument): Html {
  const { t, language } = context;
  const { id, name, phase, state, reason, counted, scores } = submission;
  const { episodes_done: done, episodes_total: total } = submission;
  const under = state === "running" && total !== null && total > 0;
  return html`<tr>
<th scope="row"><span class="team">${name === "" ? t("unnamed") : name}</span>
<span class="note">${phase} · ${moment(submission.created_at, language)}</span>
<span class="note"><code>${id}</code></span></th>
<td${scores === null && html` colspan="2"`}><span class="state ${state}">${t(`state_${state}`)}</span>
${under && html`<progress value="${done}" max="${total}" aria-label="${t("progress", { done, total })}"></progress><span class="note">${t("progress", { done, total })}</span>`}
${reason !== null && html`<span class="note">${reason}</span>`}
${!counted && html`<span class="note">${t("not_counted")}</span>`}
${state === "waiting_for_agent" && html`<span class="note">${t("dial")}</span><code class="address">${context.agentAddress}?submission=${id}</code>`}
${CANCELLABLE.has(state) && cancelling(context, id)}</td>
${scores && html`<td>${scoreList(scores)}</td>`}
</tr>
`;
}

const CANCELLABLE: ReadonlySet<SubmissionState> = new Set([
  "waiting_for_agent",
  "queued",
  "running",
]);

/** Cancelling takes two steps without a script: unfolding shows the cost and the button. */
function cancelling({ t }: PageContext, id: string): Html {
  return html`<details class="cancel" id="cancel-${id}"><summary>${t("cancel")}</summary>
<form method="post" action="/team/submissions/${id}/cancel"><span class="note">${t("cancel_text")}</span><button type="submit">${t("cancel_now")}</button></form></details>`;
}

function scoreList(scores: Scores): Html {
  return html`<dl class="scores">${Object.entries(scores).map(
    ([metric, score]) =>
      html`<dt>${metric}</dt><dd>${scoreText(score)} <span class="note inline count">n = ${score.n}</span>${score.unit === "1" && intervalBar(score)}</dd>`,
  )}</dl>`;
}

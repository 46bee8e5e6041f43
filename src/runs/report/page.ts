import { createHash } from "node:crypto";
import { agentText } from "../../core/policy-identity.js";
import { failuresSection, faultSection, slowestSection, worstSection } from "./episodes-section.js";
import { plural, utc } from "./format.js";
import { headlineSection } from "./headline.js";
import { type Html, html, trusted } from "./html.js";
import { notices } from "./notices.js";
import { objectRates } from "./objects.js";
import { provenanceSection } from "./provenance.js";
import type { RunReport } from "./read.js";
import { SCRIPT } from "./script.js";
import { stressSection } from "./stress-section.js";
import { STYLE } from "./style.js";
import { taskSection } from "./task-section.js";

/**
 * The report as one self-contained HTML document: style and images are inline, and its content security policy
 * forbids loading anything. The same run gives the same bytes.
 */
export async function htmlPage(report: RunReport, missed: readonly string[]): Promise<string> {
  const { info, summary, tasks, run } = report;
  const objects = await objectRates(run, summary.repeats ?? 1);
  const worst = await worstSection(report);
  const sections: readonly (readonly [id: string, title: string, body: Html | null])[] = [
    [
      "tasks",
      "Tasks",
      html`<section id="tasks" aria-labelledby="h-tasks"><h2 id="h-tasks">${plural(tasks.length, "task")}</h2>
${tasks.map((task) => taskSection(report, task, objects.of(task.name)))}</section>
`,
    ],
    ["robustness", "Robustness", stressSection(report.stress)],
    ["worst", "Worst episodes", worst],
    ["failures", "Failures", failuresSection(report)],
    ["faults", "Faults", faultSection(report)],
    ["time", "Time", slowestSection(report)],
    ["provenance", "Provenance", provenanceSection(report)],
  ];
  const there = sections.filter(([, , body]) => body !== null);
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  const policy = `default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${summary.benchmark} · ${summary.name ?? agentText(summary)}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<header>
<p class="eyebrow">Evaluation report</p>
<h1>${summary.benchmark}</h1>
${
  summary.name !== undefined &&
  html`<p class="lead"><b>${summary.name}</b></p>
`
}<p class="lead">Agent <b>${agentText(summary)}</b></p>
<p class="note">${utc(info.started_at)} · seed ${summary.seed} · ${info.run_id}</p>
<nav aria-label="Sections"><ul>${there.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main>
${notices(report, missed).map(({ level, text }) => html`<p class="notice ${level}">${text}</p>\n`)}
${headlineSection(report)}
${there.map(([, , body]) => body)}
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

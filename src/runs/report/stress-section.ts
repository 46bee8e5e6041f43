import type { StressAxis, StressReport, TellingEpisode } from "../stress/documents.js";
import { breakPointText, changeText, leftOutText, rankedAxes, valueText } from "../stress/text.js";
import { intervalBar } from "./bars.js";
import { intervalNote, number, pText, signed } from "./format.js";
import { breakable, type Html, html, type Part } from "./html.js";
import { table, withNote } from "./tables.js";

const DIFFERENCES = { low: -1, high: 1 };

/** Where the agent breaks: the ranking of axes, their levels and the episodes to look at. */
export function stressSection(stress: StressReport | undefined): Html | null {
  if (!stress) return null;
  const { notes, tests, status } = stress;
  return html`<section id="robustness" aria-labelledby="h-robustness"><h2 id="h-robustness">Robustness</h2>
<p class="note">Each axis perturbs the episodes of this run; differences are of the same episodes without the perturbation. p is corrected for ${tests} tests by Holm's method.${status !== "done" && ` The stress test is not finished (${status}).`}</p>
${notes.map((note) => html`<p class="notice">${note}</p>\n`)}
${ranking(stress)}
${rankedAxes(stress).map(axisCard)}</section>
`;
}

function ranking(stress: StressReport): Html {
  const rows = stress.ranking.map((rank): Part[] => {
    const axis = stress.axes.find((one) => one.axis === rank.axis);
    return [
      withNote(breakable(rank.axis), axis?.description ?? ""),
      number(rank.damage),
      withNote(signed(rank.worst_difference), `at level ${rank.worst_level}`),
      pText(rank.p_holm),
      axis ? breakPointText(axis) : "",
    ];
  });
  const columns = [
    { title: "axis" },
    { title: "mean loss", kind: "number" },
    { title: "worst", kind: "number" },
    { title: "p", kind: "number" },
    { title: "half of the success is lost at" },
  ] as const;
  return table("Axes, most damaging first", columns, rows);
}

function axisCard(axis: StressAxis): Html {
  const rows = axis.levels.map((level): Part[] => [
    withNote(`level ${level.level}`, valueText(level.value, axis.unit)),
    intervalBar({ mean: level.difference, ci95: level.ci95 }, DIFFERENCES),
    withNote(signed(level.difference), intervalNote(level.ci95)),
    withNote(number(level.success), `baseline ${number(level.baseline)}`),
    withNote(pText(level.p_holm), level.significant ? "significant" : ""),
    withNote(level.n, leftOutText(level)),
  ]);
  const columns = [
    { title: "level" },
    { title: "-1 to 1", kind: "drawing" },
    { title: "difference", kind: "number" },
    { title: "success", kind: "number" },
    { title: "p", kind: "number" },
    { title: "n", kind: "number" },
  ] as const;
  const skipped = axis.skipped_tasks.map(({ task, reason }) => `without ${task}: ${reason}`);
  return html`<section class="task"><h3>${axis.axis} <span>${axis.parameter}</span></h3>
${skipped.map((text) => html`<p class="note">${text}</p>\n`)}
${table(`Levels of ${axis.axis}`, columns, rows, { caption: "hidden" })}
${axis.telling_episodes.length > 0 && html`<p class="note">What to look at</p><ul>${axis.telling_episodes.map(telling)}</ul>`}
</section>
`;
}

function telling(episode: TellingEpisode): Html {
  const side = ({ run, end_reason, explanation }: TellingEpisode["baseline"]) =>
    html`<br><small>${run}: ${end_reason}${explanation !== "" && `: ${explanation}`}</small>`;
  return html`<li>${breakable(episode.episode_key)} ${changeText(episode)}${side(episode.baseline)}${side(episode.perturbed)}</li>`;
}

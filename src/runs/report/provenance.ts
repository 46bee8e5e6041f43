import { join } from "node:path";
import { stringify } from "yaml";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { identityText } from "../../core/policy-identity.js";
import { limitDraws } from "../recorded/recorded-config.js";
import { plural, shellWord } from "./format.js";
import { type Html, html, type Part } from "./html.js";
import type { RunReport } from "./read.js";
import { table } from "./tables.js";

/** Versions, data and configuration behind the numbers, and the commands that reproduce them. */
export function provenanceSection({ info, run }: RunReport): Html {
  return html`<section id="provenance" aria-labelledby="h-provenance">
<h2 id="h-provenance">Provenance</h2>
<h3>Reproduce</h3>
<pre>${commands(info, run.path).join("\n")}</pre>
${table("Hashes, SHA-256", [{ title: "of" }, { title: "sha256" }], hashes(info))}
${table("Versions and run", [{ title: "what" }, { title: "value" }], facts(info))}
<details><summary>Configuration, with all defaults written out</summary>
<pre>${stringify(info.config)}</pre>
</details>
</section>
`;
}

export function commands(info: RunInfo, path: string): string[] {
  if (info.kind === "score") return [scoreCommand(info)];
  const { file, set = [] } = info.benchmark;
  const { limit, first, filter, shard } = info.selection;
  const words = [
    "robot-eval run",
    shellWord(file ?? join(path, "benchmark.yaml")),
    `--agent ${shellWord(info.agent)}`,
    `--seed ${info.seed}`,
    ...set.map((change) => `--set ${shellWord(change)}`),
    ...(limit === undefined
      ? []
      : [`${limitDraws(info) === "sample" ? "--limit" : "--first"} ${limit}`]),
    ...(first === undefined ? [] : [`--first ${first}`]),
    ...(filter === undefined ? [] : [`--filter ${shellWord(filter)}`]),
    ...(shard === undefined ? [] : [`--shard ${shellWord(shard)}`]),
  ];
  return [words.join(" "), `robot-eval replay ${shellWord(path)}`];
}

/** Null if the episode did not run or has no saved trajectory. */
export function replayCommand(info: RunInfo, line: EpisodeLine, path: string): string | null {
  if (info.kind === "score" || line.trajectory === null) return null;
  const repeat = line.repeat === 0 ? "" : ` --repeat ${line.repeat}`;
  return `robot-eval replay ${shellWord(path)} ${shellWord(line.episode_key)}${repeat}`;
}

function scoreCommand({ source = {}, partial }: RunInfo): string {
  const { run, submission, results, dataset, format } = source;
  const scored = run ?? submission ?? results ?? "<scored file>";
  return [
    "robot-eval score",
    shellWord(scored),
    ...(dataset === undefined ? [] : [`--dataset ${shellWord(dataset)}`]),
    ...(format === undefined ? [] : [`--format ${shellWord(format)}`]),
    ...(partial && submission !== undefined ? ["--partial"] : []),
  ].join(" ");
}

function hashes(info: RunInfo): Part[][] {
  const data = Object.entries(info.data ?? {}).map(([task, { episodes, sha256 }]): Part[] => [
    html`${plural(episodes, "episode")} of ${task}`,
    html`<code>${sha256}</code>`,
  ]);
  return [["benchmark", html`<code>${info.benchmark.sha256}</code>`], ...data];
}

function policyFacts({ policies = {} }: RunInfo): Part[][] {
  return Object.entries(policies).flatMap(([task, identity]) => [
    [`policy of ${task}`, identityText(identity)],
    ...Object.entries(identity.metadata ?? {}).map(([key, value]) => [
      `policy of ${task}: ${key}`,
      String(value),
    ]),
  ]);
}

function facts(info: RunInfo): Part[][] {
  return [
    ["run", info.run_id],
    ["kind", info.kind === "score" ? "scored, without running episodes" : "run"],
    ...(info.partial ? [["partial", `${info.partial.scored} of ${info.partial.of} episodes`]] : []),
    ...(info.name === undefined ? [] : [["name", info.name]]),
    ["agent", info.agent],
    ...policyFacts(info),
    ...Object.entries(info.tags ?? {}).map(([key, value]) => [`tag ${key}`, value]),
    ["seed", info.seed],
    ["benchmark", info.benchmark.file ?? info.benchmark.name],
    ["started", info.started_at],
    ["finished", info.finished_at ?? "not yet"],
    ...(info.resumed ?? []).map(({ at, done }) => [
      "resumed",
      `${at}, with ${plural(done, "episode")} done`,
    ]),
    ...(info.merged ?? []).map((id) => ["merged from", id]),
    ...Object.entries(info.source ?? {}).map(([what, value]) => [`scored: ${what}`, value]),
    ...Object.entries(info.versions).map(([what, version]) => [what, version]),
  ];
}

import type { RunInfo, RunLabels } from "../../core/interfaces/result.js";
import { labelsOf } from "../directory/run-labels.js";
import { versions } from "../directory/versions.js";
import { isSameSelection, selectionOf } from "./agreement.js";
import type { Source } from "./source.js";

/** The run.json of a merged run. `checkAgreement` has checked that the sources agree. */
export function mergedInfo(
  [first, ...others]: readonly [Source, ...Source[]],
  { runId, agent }: { readonly runId: string; readonly agent: string },
): RunInfo {
  const sources = [first, ...others];
  const infos = sources.map(({ info }) => info);
  const { benchmark, seed, config } = first.info;
  const same = others.every((other) => isSameSelection(first, other));
  return {
    format: "robot-eval-run/1",
    run_id: runId,
    status: "running",
    kind: "run",
    benchmark,
    config: { ...config, agent },
    selection: same ? selectionOf(first.info) : {},
    data: same ? (first.info.data ?? {}) : {},
    seed,
    agent,
    ...commonLabels(infos),
    disclosed: Object.assign({}, ...infos.map(({ disclosed }) => disclosed)),
    ...(infos.every(({ sensors }) => sensors)
      ? { sensors: Object.assign({}, ...infos.map(({ sensors }) => sensors)) }
      : {}),
    versions: first.info.versions,
    started_at: infos.map(({ started_at }) => started_at).sort()[0] ?? first.info.started_at,
    finished_at: null,
    warnings: [
      ...labelledWarnings(sources),
      ...versionWarnings(infos),
      ...agentWarnings(infos, agent),
    ],
    merged: infos.map(({ run_id }) => run_id),
  };
}

/** The name and the tags that all runs share, and the policies of all tasks. */
function commonLabels([first, ...others]: readonly RunInfo[]): RunLabels {
  const shared = (get: (info: RunInfo) => string | undefined) =>
    others.every((other) => first && get(other) === get(first));
  const tags = Object.entries(first?.tags ?? {}).filter(([key]) =>
    shared(({ tags: own }) => own?.[key]),
  );
  return labelsOf({
    name: shared(({ name }) => name) ? first?.name : undefined,
    tags: Object.fromEntries(tags),
    policies: Object.assign({}, ...[first, ...others].map((info) => info?.policies)),
  });
}

/** The latest end time of the sources; the current time for unfinished ones. */
export function endOf(sources: readonly Source[]): string {
  const ends = sources.map(({ info }) => info.finished_at ?? new Date().toISOString());
  return ends.sort().at(-1) ?? new Date().toISOString();
}

/** Adds the run labels to warnings that not all runs share. */
function labelledWarnings(sources: readonly Source[]): string[] {
  const sourcesOf = new Map<string, Source[]>();
  for (const source of sources) {
    for (const text of new Set(source.info.warnings)) {
      sourcesOf.set(text, [...(sourcesOf.get(text) ?? []), source]);
    }
  }
  return [...sourcesOf].map(([text, by]) =>
    by.length === sources.length ? text : `${by.map(({ label }) => label).join(", ")}: ${text}`,
  );
}

function versionWarnings(infos: readonly RunInfo[]): string[] {
  const names = [...new Set(infos.flatMap((info) => Object.keys(info.versions)))];
  const differing = names.flatMap((name) => {
    const found = [...new Set(infos.map((info) => info.versions[name] ?? "unknown"))];
    return found.length > 1 ? [`${name} ${found.join(" and ")}`] : [];
  });
  const [then, now] = [infos[0]?.versions.robot_eval, versions().robot_eval];
  return [
    ...(differing.length > 0
      ? [`the shards were run with different versions: ${differing.join(", ")}`]
      : []),
    ...(then === now ? [] : [`run with robot-eval ${then}, merged with ${now}`]),
  ];
}

function agentWarnings(infos: readonly RunInfo[], agent: string): string[] {
  const names = [...new Set(infos.map((info) => info.agent))];
  if (names.length === 1 && names[0] === agent) return [];
  return [`${agent} is the name given to the policies ${names.join(", ")}`];
}

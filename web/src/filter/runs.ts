import type { RunCard } from "../../../src/server/view/documents.js";
import type { FilterLanguage } from "./match.js";
import { type Order, ordered } from "./order.js";

/** The filter fields of runs. */
export const runLanguage: FilterLanguage<RunCard> = {
  texts: {
    benchmark: (run) => run.benchmark,
    agent: (run) => [run.agent, ...(run.policy === undefined ? [] : [run.policy])],
    name: (run) => run.name ?? [],
    tag: tagsOf,
    policy: (run) =>
      policiesOf(run).flatMap(({ name, version }) =>
        version === undefined ? [name] : [name, `${name} ${version}`],
      ),
    checkpoint: (run) => policiesOf(run).flatMap(({ checkpoint }) => checkpoint ?? []),
    status: (run) => run.status,
    kind: (run) => run.kind,
    task: (run) => run.headlines.map(({ task }) => task),
    metric: (run) => run.headlines.map(({ metric }) => metric),
  },
  numbers: {
    n: (run) => run.episodes.total,
    invalid: (run) => run.episodes.invalid,
    warnings: (run) => run.warnings,
    seed: (run) => run.seed,
    score: meanScore,
  },
  words: (run) =>
    [run.id, run.benchmark, run.agent, run.name, run.policy, ...tagsOf(run)].join(" "),
};

export function orderRuns(runs: readonly RunCard[], order: Order): RunCard[] {
  const read = COLUMNS[order.column] ?? ((run: RunCard) => run.started_at);
  return ordered(runs, read, order.descending);
}

/** `key=value`, as given on the command line. */
export function tagsOf({ tags = {} }: RunCard): string[] {
  return Object.entries(tags).map((tag) => tag.join("="));
}

function policiesOf({ policies = {} }: RunCard) {
  return Object.values(policies);
}

/** The mean of the primary metrics, used for sorting only, because tasks may have different metrics. */
function meanScore({ headlines }: RunCard): number | null {
  const means = headlines.flatMap(({ mean }) => (mean === null ? [] : [mean]));
  return means.length === 0 ? null : means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

const COLUMNS: Readonly<Record<string, (run: RunCard) => string | number | null>> = {
  run: (run) => run.id,
  benchmark: (run) => run.benchmark,
  agent: (run) => run.policy ?? run.agent,
  status: (run) => run.status,
  n: (run) => run.episodes.total,
  invalid: (run) => run.episodes.invalid,
  score: meanScore,
};

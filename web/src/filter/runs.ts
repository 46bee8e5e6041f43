import type { RunCard } from "../../../src/server/view/documents.js";
import type { FilterLanguage } from "./match.js";
import { type Order, ordered } from "./order.js";

/** The filter fields of runs. */
export const runLanguage: FilterLanguage<RunCard> = {
  texts: {
    benchmark: (run) => run.benchmark,
    agent: (run) => run.agent,
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
  words: (run) => `${run.id} ${run.benchmark} ${run.agent}`,
};

export function orderRuns(runs: readonly RunCard[], order: Order): RunCard[] {
  const read = COLUMNS[order.column] ?? ((run: RunCard) => run.started_at);
  return ordered(runs, read, order.descending);
}

/** The mean of the primary metrics, used for sorting only, because tasks may have different metrics. */
function meanScore({ headlines }: RunCard): number | null {
  const means = headlines.flatMap(({ mean }) => (mean === null ? [] : [mean]));
  return means.length === 0 ? null : means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

const COLUMNS: Readonly<Record<string, (run: RunCard) => string | number | null>> = {
  run: (run) => run.id,
  benchmark: (run) => run.benchmark,
  agent: (run) => run.agent,
  status: (run) => run.status,
  n: (run) => run.episodes.total,
  invalid: (run) => run.episodes.invalid,
  score: meanScore,
};

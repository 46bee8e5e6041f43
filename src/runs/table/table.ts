import { ConfigError } from "../../core/errors.js";
import type { MetricSummary, RunInfo } from "../../core/interfaces/result.js";
import { policiesText } from "../../core/policy-identity.js";
import { suggestion } from "../../core/registry.js";
import { isSameRun } from "../compare/notes.js";
import { type ComparedRun, readComparedRun } from "../compare/read-run.js";
import { summaryOf } from "../report/summary-of.js";
import { findBest, type TestedColumn } from "./best.js";
import type { ResultsTable, TableRow, TaskCells, TaskColumns } from "./document.js";
import { markNotes, rowNotes, type SummarisedRun, tableNotes } from "./notes.js";

export interface TableOptions {
  /** Tasks to show, in this order. Default: all. */
  readonly tasks?: readonly string[] | undefined;
  /** Metrics to show, in this order. Default: of one task all, of several tasks the primary metric of each. */
  readonly metrics?: readonly string[] | undefined;
  /** Accepts runs that have different episodes; tests then use the shared ones. */
  readonly shared?: boolean | undefined;
  /** Plugins that define the metrics of unfinished runs. */
  readonly plugins?: readonly string[] | undefined;
}

/** Makes a results table: one row for each run, in the given order. */
export async function resultsTable(
  paths: readonly string[],
  { tasks, metrics, shared = false, plugins }: TableOptions = {},
): Promise<ResultsTable> {
  const runs: SummarisedRun[] = [];
  for (const path of paths) {
    const run = await readComparedRun(path);
    const twice = runs.find((other) => isSameRun(other.run, run));
    if (twice) {
      throw new ConfigError("same_run", "the run is given twice", {
        where: path,
        hint: "name each run once; every run is a row of its own",
      });
    }
    runs.push({ run, summary: await summaryOf(run.directory, { plugins }, run.info) });
  }
  const [first] = runs;
  if (!first) {
    throw new ConfigError("no_runs", "a table needs a run", { hint: "name a run directory" });
  }
  const columns = columnsOf(runs, tasks, metrics);
  const tested = columns.flatMap(({ task, metrics: shown }) =>
    shown.map(
      (column): TestedColumn => ({
        task,
        ...column,
        means: runs.map(({ summary }) => summary.per_task[task]?.[column.metric]?.mean ?? null),
      }),
    ),
  );
  const best = findBest(
    runs.map(({ run }) => run),
    tested,
    shared,
  );
  const wins = (row: number, task: string, metric: string) =>
    best.winners[tested.findIndex((c) => c.task === task && c.metric === metric)] === row;
  const marked = markNotes(runs.map((run) => rowNotes(run, first.run, columns)));
  const names = rowNames(runs.map(({ run }) => run));
  return {
    format: "robot-eval-table/1",
    benchmark: [...new Set(runs.map(({ summary }) => summary.benchmark))].join(", "),
    tasks: columns,
    rows: runs.map(
      ({ run, summary }, i): TableRow => ({
        policy: names[i] ?? "",
        run_id: run.info.run_id,
        run_dir: run.directory.path,
        marks: marked.marks[i] ?? [],
        tasks: columns.map(({ task, metrics: shown }) =>
          cells(
            shown.map(({ metric }) => summary.per_task[task]?.[metric]),
            shown.map(({ metric }) => wins(i, task, metric)),
          ),
        ),
      }),
    ),
    footnotes: marked.footnotes,
    notes: [...tableNotes(columns, runs.length, best), ...marked.common],
  };
}

function cells(
  summaries: readonly (MetricSummary | undefined)[],
  best: readonly boolean[],
): TaskCells {
  const [told] = summaries.filter((summary) => summary !== undefined);
  return {
    n: told?.count ?? null,
    invalid: told?.n_invalid ?? null,
    values: summaries.map((summary, i) => {
      if (!summary) return null;
      const { mean, ci95, count: n } = summary;
      return { mean, ci95, n, best: best[i] ?? false };
    }),
  };
}

/** Rows of one policy are told apart by their run ids. */
function rowNames(runs: readonly ComparedRun[]): string[] {
  const names = runs.map(({ info }) => policyName(info));
  return runs.map(({ info }, i) => {
    const name = names[i] ?? "";
    return names.filter((other) => other === name).length > 1 ? `${name} (${info.run_id})` : name;
  });
}

function columnsOf(
  runs: readonly SummarisedRun[],
  tasks: readonly string[] | undefined,
  metrics: readonly string[] | undefined,
): TaskColumns[] {
  const known = union(runs.map(({ summary }) => Object.keys(summary.per_task)));
  checkNames("task", tasks, known);
  const shown = tasks ?? known;
  const all = union(
    runs.flatMap(({ summary }) => shown.map((task) => Object.keys(summary.per_task[task] ?? {}))),
  );
  checkNames("metric", metrics, all);
  const columns = shown.map((task) => {
    const told = runs.filter(({ summary }) => summary.per_task[task] !== undefined);
    const primary = told[0]?.summary.primary_metrics[task];
    const own = union(told.map(({ summary }) => Object.keys(summary.per_task[task] ?? {})));
    const usual = shown.length > 1 ? own.filter((name) => name === primary) : own;
    return {
      task,
      profile: told[0]?.summary.profiles[task] ?? null,
      metrics: (metrics?.filter((name) => own.includes(name)) ?? usual).map((metric) => {
        const summary = told.map((run) => run.summary.per_task[task]?.[metric]).find(Boolean);
        const { unit = "1", direction = "none" } = summary ?? {};
        return { metric, primary: metric === primary, unit, direction };
      }),
    };
  });
  return columns.filter((column) => column.metrics.length > 0);
}

function union(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

function checkNames(
  what: string,
  names: readonly string[] | undefined,
  known: readonly string[],
): void {
  for (const name of names ?? []) {
    if (known.includes(name)) continue;
    throw new ConfigError(`unknown_${what}`, `no run has the ${what} "${name}"`, {
      where: `--${what}s`,
      hint: suggestion(name, known),
    });
  }
}

/**
 * The name of a run in tables: the user's, else what the policy declared, else the agent. It is foreign text: escape
 * it.
 */
function policyName({
  name,
  policies,
  agent,
}: Pick<RunInfo, "name" | "policies" | "agent">): string {
  return name ?? policiesText(policies) ?? agent;
}

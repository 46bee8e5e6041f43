import type { MetricSummary } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";

/** The output of `robot-eval table --json`, and what every format is written from; docs/tables.md has its keys. */
export interface ResultsTable {
  readonly format: "robot-eval-table/1";
  readonly benchmark: string;
  /** The columns: each task with its metrics. */
  readonly tasks: readonly TaskColumns[];
  readonly rows: readonly TableRow[];
  /** What `marks` refer to. */
  readonly footnotes: readonly Footnote[];
  /** Sentences about the whole table. */
  readonly notes: readonly string[];
}

export interface TaskColumns {
  readonly task: string;
  readonly profile: string | null;
  readonly metrics: readonly MetricColumn[];
}

export interface MetricColumn {
  readonly metric: string;
  readonly primary: boolean;
  readonly unit: string;
  readonly direction: MetricSummary["direction"];
}

export interface TableRow {
  readonly policy: string;
  readonly run_id: string;
  readonly run_dir: string;
  readonly marks: readonly string[];
  /** In the order of `ResultsTable.tasks`. */
  readonly tasks: readonly TaskCells[];
}

export interface TaskCells {
  /** Values of the first metric; null if the run has not this task. */
  readonly n: number | null;
  readonly invalid: number | null;
  /** In the order of `TaskColumns.metrics`; null if the run has not this metric. */
  readonly values: readonly (TableValue | null)[];
}

export interface TableValue {
  readonly mean: number | null;
  readonly ci95: Interval | null;
  readonly n: number;
  /** True if paired tests show that every other row is worse. */
  readonly best: boolean;
}

export interface Footnote {
  readonly mark: string;
  readonly text: string;
}

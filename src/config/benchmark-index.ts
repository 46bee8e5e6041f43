import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "./package-root.js";

/** Summary of a shipped benchmark. */
export interface BenchmarkSummary {
  /** The name that `robot-eval run` accepts. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Agent used without `--agent`; null if a policy must be given. */
  readonly agent: string | null;
  /** Null while data is missing. */
  readonly episodes: number | null;
  readonly needs: {
    /** The Python package that its simulator needs; null if an embedded simulator is used. */
    readonly python: string | null;
    /** Data files that are not part of the package. */
    readonly data: readonly string[];
  };
  readonly tasks: readonly BenchmarkTaskSummary[];
}

export interface BenchmarkTaskSummary {
  readonly name: string;
  readonly type: string;
  readonly profile: string;
  readonly metrics: readonly string[];
  /** `none` if no registered simulator supports the task. */
  readonly simulator: string;
  readonly data_path: string;
  readonly format: string | null;
  /** Null while the data is missing. */
  readonly episodes: number | null;
}

/** The shipped benchmarks, from an index written by `npm run schema`; nothing is parsed or counted here. */
export function benchmarkIndex(): readonly BenchmarkSummary[] {
  return JSON.parse(readFileSync(join(PACKAGE_ROOT, "configs", "benchmarks.json"), "utf8"));
}

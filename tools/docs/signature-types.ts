/**
 * Types that signatures of the public entry mention and that it does not export by name. They are
 * listed so that the reference can show what they hold; a program cannot import them.
 *
 * @packageDocumentation
 */
export type { BadConfigError, ConfigIssue, Finding } from "../../src/config/issues.js";
export type { LoadOptions, ParseOptions } from "../../src/config/load.js";
export type {
  BenchmarkConfig,
  BenchmarkTask,
  ConfigDocument,
  DatasetSection,
  SimulatorSection,
  TaskSection,
} from "../../src/config/schema.js";
export type { ConfigPath } from "../../src/config/source.js";
export type { ErrorDetails } from "../../src/core/errors.js";
export type { FormatRegistry, LoadOptions as LoadEpisodesOptions } from "../../src/dataset/loader.js";
export type { PrepareOptions } from "../../src/evaluator/prepare.js";
export type { JointUnit } from "../../src/robots/descriptor.js";
export type { MetricComparison, RunComparison, RunRef } from "../../src/runs/compare.js";
export type { ScoreRunOptions } from "../../src/runs/score-run.js";
export type { ScoreSubmissionOptions } from "../../src/runs/score-submission.js";
export type { Trajectory } from "../../src/runs/trajectory.js";
export type { Interval } from "../../src/stats/interval.js";

/**
 * robot-eval evaluates robot policies: navigation and manipulation through one evaluator, one episode
 * format and one metric system.
 *
 * Four more entries hold what fewer programs need: `robot-eval/policy` serves a policy, `robot-eval/protocol` has the
 * messages, `robot-eval/scenes` has apartments, navmeshes, graphs and the renderer, `robot-eval/generate` makes datasets.
 *
 * @packageDocumentation
 */

// Evaluate: load a benchmark, run an agent on it, resume an interrupted run.

export type { LoadedConfig } from "./config/load.js";
export { loadConfig, parseConfig } from "./config/load.js";
export type { BenchmarkConfig } from "./config/schema.js";
export type { RunResults } from "./core/interfaces/result.js";
export { runDuel } from "./evaluator/duel/run-duel.js";
export type { EvaluatorOptions } from "./evaluator/evaluator.js";
export {
  UnifiedRobotEvaluator,
  UnifiedRobotEvaluator as UnifiedEvaluator, // The design uses both names.
} from "./evaluator/evaluator.js";
export type { EvaluationEvent } from "./evaluator/record/events.js";
export type { ResumeOptions } from "./evaluator/resume.js";
export { resumeRun } from "./evaluator/resume.js";

// Registries: look up what exists by name and add your own, in a program or in a plugin.

export { z } from "zod";
export type { MetricRegistry } from "./core/metric/registry.js";
export type { TaskRegistry } from "./core/task/registry.js";
export {
  getMetric,
  getTask,
  listMetrics,
  listTasks,
  registerMetric,
  registerTask,
} from "./registry/default.js";
export type { Plugin } from "./registry/plugins.js";
export type { Registries } from "./registry/registries.js";
export { createRegistries } from "./registry/registries.js";

// Tasks: actions, sensors and the end of an episode; extend one to add a task.

export type { EpisodeEnd, TaskConfig, TaskState } from "./core/task/base.js";
export { BaseTask } from "./core/task/base.js";
export { ActionSpace, SensorSuite } from "./core/task/types.js";
export { ImageNavTask } from "./tasks/image-nav/task.js";
export { OpeningTask } from "./tasks/manipulation/opening.js";
export { PickAndPlaceTask } from "./tasks/manipulation/pick-place.js";
export { StackingTask } from "./tasks/manipulation/stacking.js";
export { ManipulationTask } from "./tasks/manipulation/task.js";
export { NavigationTask } from "./tasks/navigation.js";
export { ObjectNavTask } from "./tasks/objectnav/task.js";
export { VLNTask } from "./tasks/vln/task.js";

// Episodes: start state, instruction, goals and reference of one trial.

export type { EpisodeInit } from "./core/episode/base.js";
export { BaseEpisode, goalPoints, referencePoints } from "./core/episode/base.js";
export type {
  EpisodeDict,
  Goals,
  Instruction,
  ReferenceData,
  SimParams,
  StartState,
} from "./core/episode/schemas.js";
export type { QuatWxyz, QuatXyzw } from "./core/math/rotation.js";
export type { Vec3 } from "./core/math/vec3.js";

// Steps: what a policy observes and does, and the records that are scored.

export type { Action } from "./core/interfaces/action.js";
export type { Image, Observation } from "./core/interfaces/observation.js";
export { isImage } from "./core/interfaces/observation.js";
export type { StepRecord, StepState } from "./core/interfaces/step.js";

// Metrics: one number per episode; extend BaseMetric to add one. SPL and DTW are the design's names of Spl and Dtw.

export type { MetricContext, MetricInfo } from "./core/metric/base.js";
export { BaseMetric } from "./core/metric/base.js";
export { rulesOf } from "./core/profiles.js";
export { CompletionRate } from "./metrics/manipulation/completion-rate.js";
export { ManipulationSuccess } from "./metrics/manipulation/manip-success.js";
export { Dtw as DTW } from "./metrics/navigation/dtw.js";
export { Spl as SPL } from "./metrics/navigation/spl.js";
export { NavigationSuccess } from "./metrics/navigation/success.js";
export { TrajectorySimilarity } from "./metrics/shared/trajectory-similarity.js";

// Success rules: conditions on recorded facts that decide whether a manipulation episode succeeded.

export type { CriteriaPreset, SuccessCriteria } from "./core/rules/criteria.js";
export type { Facts } from "./core/rules/facts.js";
export type { Measurement } from "./core/rules/measurement.js";
export { atLeast, atMost, isTrue } from "./core/rules/measurement.js";
export type { Moment, StepFacts } from "./core/rules/moment.js";
export type { FactNeeds, Need } from "./core/rules/needs.js";
export type { CompoundPredicate, MeasuredPredicate, Predicate } from "./core/rules/predicate.js";
export type { Rule } from "./core/rules/rule.js";

// Simulators: the interface of an environment, and the true state that it shows to privileged agents.

export type { ManipulationView, Pose3 } from "./core/interfaces/manipulation-view.js";
export type {
  BaseSimulator,
  PrivilegedView,
  ResetOptions,
  SimulatorFactory,
  SimulatorFrame,
  SimulatorOptions,
} from "./core/interfaces/simulator.js";
export type { SceneDistance, ScenePoint } from "./core/scene/scene-point.js";
export type { ManipulationSimulator } from "./simulator/manipulation/manipulation-simulator.js";

// Perturbations: axes along which stress tests change episodes.

export type { PerturbationAxis } from "./core/perturbation/axis.js";

// Agents: the interface of a policy inside the evaluator's process, and its random numbers.

export type { Agent, AgentEpisode, AgentFactory, AgentOptions } from "./core/interfaces/agent.js";
export { Random } from "./core/math/random.js";

// Robots: descriptors of joints, degrees of freedom and MuJoCo models. STRETCH is the design's StretchRobotConfig.

export { mjcf } from "./core/mjcf/element.js";
export type { RobotDescriptor } from "./robots/descriptor.js";
export { STRETCH } from "./robots/stretch.js";
export { STRETCH_RE1 } from "./robots/stretch-re1.js";

// Datasets: read, write, convert and check episodes; interfaces of formats for datasets, submissions and results.

export { convertDataset } from "./dataset/convert/convert.js";
export type {
  ContentSample,
  DatasetFormat,
  DatasetSource,
  Prediction,
  Submission,
  SubmissionFormat,
} from "./dataset/format.js";
export { MatterportGraphs } from "./dataset/formats/matterport-connectivity.js";
export { writeNative } from "./dataset/formats/native.js";
export { lintDataset } from "./dataset/lint/report.js";
export { loadEpisodes } from "./dataset/loader.js";
export type { ImportedEpisode, ResultsFormat, ResultsOptions } from "./dataset/results/format.js";

// Runs: read, score, check, merge, export and report recorded runs.

export type {
  EpisodeLine,
  Fault,
  MetricSummary,
  Outcome,
  RunInfo,
  RunSummary,
} from "./core/interfaces/result.js";
export { auditRun } from "./evaluator/check/audit-run.js";
export type { AuditReport, ReplayReport } from "./evaluator/check/replay/documents.js";
export { replayRun } from "./evaluator/check/replay/replay-run.js";
export type { VerifyReport } from "./evaluator/check/verify/documents.js";
export { verifyBundle } from "./evaluator/check/verify-bundle.js";
export { bundleRun } from "./runs/bundle/bundle-run.js";
export { RunDirectory } from "./runs/directory/run-directory.js";
export type { Trajectory } from "./runs/directory/trajectory.js";
export { readTrajectory } from "./runs/directory/trajectory.js";
export { exportRun } from "./runs/export/export.js";
export { mergeRuns } from "./runs/merge/merge-runs.js";
export { writeReport } from "./runs/report/write.js";
export { scoreResults } from "./runs/score/score-results.js";
export { scoreRun } from "./runs/score/score-run.js";
export { scoreSubmission } from "./runs/score/score-submission.js";

// Statistics: paired comparisons of runs, with intervals and corrected p-values.

export { runStress } from "./evaluator/stress/run-stress.js";
export { compareRuns, compareWithBaseline } from "./runs/compare/compare.js";
export type { RunComparison, RunComparisons } from "./runs/compare/documents.js";

// Errors: each has a code, a location and a hint.

export type { ErrorDetails } from "./core/errors.js";
export {
  ConfigError,
  DataError,
  ProtocolError,
  RegistryError,
  RobotEvalError,
} from "./core/errors.js";

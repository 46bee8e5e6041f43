/**
 * robot-eval evaluates robot policies: navigation and manipulation through one evaluator, one episode
 * format and one metric system.
 *
 * @packageDocumentation
 */

/** For the parameters of a plugin's predicates. */
export { z } from "zod";
export type { BadConfigError, ConfigIssue, Finding } from "./config/issues.js";
export type { LoadedConfig, LoadOptions as ConfigOptions, ParseOptions } from "./config/load.js";
export { loadConfig, parseConfig } from "./config/load.js";
export type { BenchmarkConfig, BenchmarkTask, ConfigDocument } from "./config/schema.js";
export type { ConfigPath, YamlSource } from "./config/source.js";
export type { EpisodeInit } from "./core/episode/base.js";
export { BaseEpisode, episodeKey, goalPlaces, referencePlaces } from "./core/episode/base.js";
export type {
  EpisodeDict,
  Goals,
  Instruction,
  ReferenceData,
  SimParams,
  StartState,
} from "./core/episode/schemas.js";
export type { ErrorDetails } from "./core/errors.js";
export {
  ConfigError,
  DataError,
  ProtocolError,
  RegistryError,
  RobotEvalError,
} from "./core/errors.js";
export type { Action } from "./core/interfaces/action.js";
export type {
  ActionRecording,
  Agent,
  AgentEpisode,
  AgentFactory,
  AgentOptions,
} from "./core/interfaces/agent.js";
export type {
  IkOptions,
  ManipulationView,
  Pose3,
  ViewFixture,
  ViewObject,
} from "./core/interfaces/manipulation-view.js";
export type {
  ColorImage,
  DepthImage,
  Image,
  Observation,
  SemanticImage,
} from "./core/interfaces/observation.js";
export { isImage } from "./core/interfaces/observation.js";
export type {
  EpisodeError,
  EpisodeLine,
  Fault,
  FaultyEpisode,
  IntervalMethod,
  LatencySummary,
  MetricSummary,
  MetricTable,
  Outcome,
  RunInfo,
  RunResults,
  RunStatus,
  RunSummary,
} from "./core/interfaces/result.js";
export type {
  BaseSimulator,
  MaybePromise,
  PrivilegedView,
  ResetOptions,
  SimulatorFactory,
  SimulatorFrame,
  SimulatorOptions,
} from "./core/interfaces/simulator.js";
export type { Condition, StepRecord, StepState } from "./core/interfaces/step.js";
export { dtw, dtwPoints } from "./core/math/dtw.js";
export { Random } from "./core/math/random.js";
export type { QuatWxyz, QuatXyzw } from "./core/math/rotation.js";
export type { Vec3 } from "./core/math/vec3.js";
export type {
  Aggregate,
  MetricClass,
  MetricConfig,
  MetricContext,
  MetricInfo,
  StateNeed,
} from "./core/metric/base.js";
export { aggregate, BaseMetric } from "./core/metric/base.js";
export { MetricRegistry } from "./core/metric/registry.js";
export type { MetricValues } from "./core/metric/scorer.js";
export { EpisodeScorer } from "./core/metric/scorer.js";
export type { MjcfElement } from "./core/mjcf/element.js";
export { mjcf } from "./core/mjcf/element.js";
export type { MjcfFragment } from "./core/mjcf/fragment.js";
export type { Profile, Rules } from "./core/profiles.js";
export { getProfile, PROFILES, rulesOf } from "./core/profiles.js";
export { Registry } from "./core/registry.js";
export type { CriteriaPreset, SuccessCriteria } from "./core/rules/criteria.js";
export type { Facts } from "./core/rules/facts.js";
export { JudgedSimulator } from "./core/rules/judged-simulator.js";
export type { Measurement } from "./core/rules/measurement.js";
export { atLeast, atMost, isTrue } from "./core/rules/measurement.js";
export type { Moment, StepFacts } from "./core/rules/moment.js";
export type { FactNeeds, Need } from "./core/rules/needs.js";
export type {
  CompoundPredicate,
  MeasuredPredicate,
  Predicate,
} from "./core/rules/predicate.js";
export type { Rule } from "./core/rules/rule.js";
export type { GraphNode, GraphSource } from "./core/scene/graph.js";
export { NavGraph } from "./core/scene/graph.js";
export type { Place, SceneDistance } from "./core/scene/place.js";
export type {
  EndReason,
  EpisodeEnd,
  TaskClass,
  TaskConfig,
  TaskDeps,
  TaskState,
} from "./core/task/base.js";
export { BaseTask } from "./core/task/base.js";
export { TaskRegistry } from "./core/task/registry.js";
export type { ActionRange, ActionSpaceInit, SensorConfig } from "./core/task/types.js";
export { ActionSpace, SensorSuite } from "./core/task/types.js";
export type { ConvertOptions, ConvertReport } from "./dataset/convert/convert.js";
export { convertDataset } from "./dataset/convert/convert.js";
export type {
  ContentSample,
  DatasetFormat,
  DatasetSource,
  Prediction,
  Submission,
  SubmissionFormat,
  SubmissionStep,
} from "./dataset/format.js";
export { MatterportGraphs } from "./dataset/formats/matterport-connectivity.js";
export { writeNative } from "./dataset/formats/native.js";
export type { LintReport } from "./dataset/lint/report.js";
export { lintDataset } from "./dataset/lint/report.js";
export type { LoadOptions } from "./dataset/loader.js";
export { loadEpisodes } from "./dataset/loader.js";
export { readEach } from "./dataset/read-each.js";
export type { ImportedEpisode, ResultsFormat, ResultsOptions } from "./dataset/results/format.js";
export type { AuditOptions } from "./evaluator/check/audit-run.js";
export { auditRun } from "./evaluator/check/audit-run.js";
export type {
  AuditReport,
  CheckProgress,
  Difference,
  ReplayReport,
  Skipped,
} from "./evaluator/check/replay/documents.js";
export type { ReplayOptions } from "./evaluator/check/replay/replay-run.js";
export { replayRun } from "./evaluator/check/replay/replay-run.js";
export type { BundleCheck, VerifyReport } from "./evaluator/check/verify/documents.js";
export type { VerifyOptions } from "./evaluator/check/verify-bundle.js";
export { verifyBundle } from "./evaluator/check/verify-bundle.js";
export type { EvaluatorOptions } from "./evaluator/evaluator.js";
export {
  UnifiedRobotEvaluator,
  UnifiedRobotEvaluator as UnifiedEvaluator,
} from "./evaluator/evaluator.js";
export type { RunPlan, TaskPlan } from "./evaluator/plan/prepare.js";
export type { EvaluationEvent } from "./evaluator/record/events.js";
export type { ResumeOptions } from "./evaluator/resume.js";
export { resumeRun } from "./evaluator/resume.js";
export {
  defaultRegistries,
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
export type {
  DofDescriptor,
  JointDescriptor,
  RobotDescriptor,
  RobotFile,
  RobotModel,
} from "./robots/descriptor.js";
export { dofFrom } from "./robots/descriptor.js";
export { STRETCH } from "./robots/stretch.js";
export { STRETCH_RE1 } from "./robots/stretch-re1.js";
export type { BundleOptions } from "./runs/bundle/bundle-run.js";
export { bundleRun } from "./runs/bundle/bundle-run.js";
export type { BundleManifest } from "./runs/bundle/manifest.js";
export type { CompareOptions } from "./runs/compare/compare.js";
export { compareRuns, compareWithBaseline } from "./runs/compare/compare.js";
export type {
  ChangedEnd,
  ChangedKey,
  EpisodeSide,
  FlippedEpisode,
  MetricComparison,
  MetricVerdict,
  RunComparison,
  RunComparisons,
  RunRef,
  UnjudgedEpisode,
  UnjudgedSide,
} from "./runs/compare/documents.js";
export { RunDirectory } from "./runs/directory/run-directory.js";
export type { Trajectory } from "./runs/directory/trajectory.js";
export { readTrajectory } from "./runs/directory/trajectory.js";
export type { ExportOptions, ExportReport } from "./runs/export/export.js";
export { exportRun } from "./runs/export/export.js";
export type { MergedResults, MergeOptions } from "./runs/merge/merge-runs.js";
export { mergeRuns } from "./runs/merge/merge-runs.js";
export type { ReportKind } from "./runs/report/kinds.js";
export {
  type ReportOptions,
  type WrittenReport,
  writeReport,
} from "./runs/report/write.js";
export type { ImportedResults, ScoreResultsOptions } from "./runs/score/score-results.js";
export { scoreResults } from "./runs/score/score-results.js";
export type { ScoredRun } from "./runs/score/score-run.js";
export { scoreRun } from "./runs/score/score-run.js";
export { scoreSubmission } from "./runs/score/score-submission.js";
export type { SceneRate } from "./runs/summary/scene-rates.js";
export type { ManipulationSimulator } from "./simulator/manipulation/manipulation-simulator.js";
export { GraphSimulator } from "./simulator/navigation/graph.js";
export type { TellApart } from "./stats/power.js";
export { ImageNavTask } from "./tasks/image-nav/task.js";
export { OpeningTask } from "./tasks/manipulation/opening.js";
export { PickAndPlaceTask } from "./tasks/manipulation/pick-place.js";
export { StackingTask } from "./tasks/manipulation/stacking.js";
export { ManipulationTask } from "./tasks/manipulation/task.js";
export { NavigationTask } from "./tasks/navigation.js";
export { ObjectNavTask } from "./tasks/objectnav/task.js";
export { VLNTask } from "./tasks/vln/task.js";

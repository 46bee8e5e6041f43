import { actionArgument, actionName } from "../../core/interfaces/action.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import { taskText } from "../../dataset/lerobot/task-text.js";
import type { Trajectory } from "../directory/trajectory.js";
import { frameTransforms, type LogLevel, log, poseInFrame } from "./foxglove.js";
import { framesOf, robotPose, sceneOf } from "./mcap-scene.js";

/** A message with its time in nanoseconds since the episode began. */
export interface EpisodeMessage {
  readonly topic: string;
  readonly ns: bigint;
  readonly data: object;
}

/** Topics with Foxglove message types; all other topics are plain JSON. */
export const FOXGLOVE_TOPICS = {
  "/tf": "foxglove.FrameTransforms",
  "/pose": "foxglove.PoseInFrame",
  "/scene": "foxglove.SceneUpdate",
  "/log": "foxglove.Log",
} as const;

const OUTCOMES = {
  success: "info",
  failure: "warning",
  invalid: "error",
} as const satisfies Record<EpisodeLine["outcome"], LogLevel>;

/** The messages of an episode in time order. An action has the time of the state in which it was taken. */
export function* episodeMessages(
  line: EpisodeLine,
  { episode, records }: Trajectory,
  fps: number,
): Generator<EpisodeMessage> {
  const said = taskText(episode, line.task);
  yield { topic: "/log", ns: 0n, data: log(0n, "info", "instruction", said) };
  const scene = sceneOf(
    episode,
    records.map(({ state }) => state),
  );
  yield { topic: "/scene", ns: 0n, data: scene };
  let ns = 0n;
  for (const [i, record] of records.entries()) {
    ns = nsOf(record, fps);
    yield* stateMessages(record, ns);
    const next = records[i + 1];
    if (next) yield { topic: "/action", ns, data: actionOf(next) };
  }
  const metrics = withoutNulls(line.metrics);
  if (Object.keys(metrics).length > 0) yield { topic: "/metrics", ns, data: metrics };
  const told = `${line.outcome} (${line.end_reason}): ${line.explanation}`;
  yield { topic: "/log", ns, data: log(ns, OUTCOMES[line.outcome], "outcome", told) };
}

function nsOf({ step, time_s }: StepRecord, fps: number): bigint {
  return BigInt(Math.round((time_s ?? step / fps) * 1e9));
}

function* stateMessages({ step, state }: StepRecord, ns: bigint): Generator<EpisodeMessage> {
  const frames = framesOf(state);
  if (frames.size > 0) yield { topic: "/tf", ns, data: frameTransforms(ns, frames) };
  const robot = robotPose(state);
  if (robot) yield { topic: "/pose", ns, data: poseInFrame(ns, robot.pose) };
  const { conditions, ...rest } = state;
  yield { topic: "/state", ns, data: { step, ...withoutNulls(rest) } };
  if (conditions?.length) yield { topic: "/conditions", ns, data: conditionsOf(conditions) };
}

/** Keyed by name, so that a plot can use the path `/conditions.at_target.value`. */
function conditionsOf(conditions: NonNullable<StepState["conditions"]>): object {
  return Object.fromEntries(conditions.map(({ name, ...rest }) => [name, withoutNulls(rest)]));
}

function actionOf({ step, action }: StepRecord): object {
  if (typeof action !== "string") return { step, vector: action ?? [] };
  const argument = actionArgument(action);
  return { step, name: actionName(action), ...(argument === undefined ? {} : { argument }) };
}

/** Omits null and infinite values: JSON has no infinity, and Foxglove has no type for null. */
function withoutNulls(fields: object): Readonly<Record<string, unknown>> {
  const kept = Object.entries(fields).filter(
    ([, value]) =>
      value !== null &&
      value !== undefined &&
      (typeof value !== "number" || Number.isFinite(value)),
  );
  return Object.fromEntries(kept);
}

import type { Fault } from "../../core/interfaces/result.js";
import type { MetricValues } from "../../core/metric/scorer.js";
import { type ImportedEpisode, SUCCESS } from "./format.js";

/** The reported result of an episode, before its outcome is determined. */
export interface Reported
  extends Pick<ImportedEpisode, "episodeId" | "sceneId" | "task" | "taskType" | "where"> {
  /** Null if the file does not report it. */
  readonly success: 0 | 1 | null;
  /** Does not include `success`. */
  readonly metrics: MetricValues;
  readonly steps?: number | undefined;
  readonly wallMs?: number | undefined;
}

/** Why an episode is invalid or was aborted by the agent. */
export interface EpisodeProblem {
  readonly code: string;
  readonly message: string;
  readonly fault: Fault;
}

/** An episode that ran to its end. It is invalid if the file does not report success. */
export function completed(reported: Reported): ImportedEpisode {
  const { success } = reported;
  if (success === null) {
    return invalid(reported, {
      code: "no_result",
      message: "the file does not report whether the episode succeeded",
      fault: "data",
    });
  }
  return {
    ...common(reported),
    outcome: success === 1 ? "success" : "failure",
    endReason: success === 1 ? "success" : "end",
    metrics: { [SUCCESS]: success, ...reported.metrics },
    explanation: sentence(reported, success),
  };
}

/** An episode without a valid outcome: it is counted separately and excluded from the success rate. */
export function invalid(reported: Reported, problem: EpisodeProblem): ImportedEpisode {
  const { code, message, fault } = problem;
  return {
    ...common(reported),
    outcome: "invalid",
    fault,
    endReason: code,
    metrics: {},
    error: { code, message },
    explanation: message,
  };
}

/**
 * An episode that the agent aborted after its first action. It counts as a failure, so that a failing
 * policy cannot improve its rate by disconnecting. The summary also gives the rate without such episodes.
 */
export function aborted(reported: Reported, problem: EpisodeProblem): ImportedEpisode {
  const { code, message } = problem;
  return {
    ...common(reported),
    outcome: "failure",
    fault: "agent",
    endReason: code,
    metrics: { [SUCCESS]: 0, ...reported.metrics },
    error: { code, message },
    explanation: `the agent broke off after ${reported.steps ?? 0} steps: ${message}`,
  };
}

function common({ episodeId, sceneId, task, taskType, steps, wallMs, where }: Reported) {
  return { episodeId, sceneId, task, taskType, steps: steps ?? 0, wallMs: wallMs ?? 0, where };
}

function sentence({ steps, metrics }: Reported, success: 0 | 1): string {
  const after = steps === undefined ? "" : ` after ${steps} steps`;
  const left = metrics.distance_to_goal ?? metrics.navigation_error;
  const distance = typeof left === "number" ? `, ${left.toFixed(2)} m from the goal` : "";
  return `${success === 1 ? "succeeded" : "failed"}${after}${distance}`;
}

import type { Fault } from "../../core/interfaces/result.js";
import type { MetricValues } from "../../core/metric/scorer.js";
import { type ImportedEpisode, SUCCESS } from "./format.js";

/** What a file says of an episode, before it is judged. */
export interface Reported {
  readonly episodeId: string;
  readonly sceneId: string;
  readonly task: string;
  readonly taskType: string;
  /** Null where the file does not say. */
  readonly success: 0 | 1 | null;
  /** Without `success`. */
  readonly metrics: MetricValues;
  readonly steps?: number | undefined;
  readonly wallMs?: number | undefined;
  readonly where: string;
}

/** Why an episode says nothing about the policy, or was broken off by it. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly fault: Fault;
}

/** An episode that ran to its end. That the file does not say how it came out makes it invalid. */
export function ended(reported: Reported): ImportedEpisode {
  const { success } = reported;
  if (success === null) {
    return invalid(reported, {
      code: "no_result",
      message: "the file does not say whether it succeeded",
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

/** An episode that cannot be judged: it is counted beside the rate, not in it. */
export function invalid(reported: Reported, trouble: Trouble): ImportedEpisode {
  const { code, message, fault } = trouble;
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
 * An episode that the agent broke off after its first action. That is a failure, else a losing policy
 * could hang up; the summary shows the rate without such episodes beside it.
 */
export function brokenOff(reported: Reported, trouble: Trouble): ImportedEpisode {
  const { code, message } = trouble;
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

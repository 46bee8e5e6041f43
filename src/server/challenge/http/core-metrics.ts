import type { MetricSet } from "../../../core/telemetry/metric-set.js";
import type { ChallengeCore } from "../core.js";

/** Adds the challenge's metrics. Teams are not labels, to keep private who is being evaluated. */
export function coreMetrics(metrics: MetricSet, core: ChallengeCore): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.measured({ name: `robot_eval_challenge_${name}`, help, type: "gauge" }, read);
  gauge("running", "Submissions under way.", () => core.status().running);
  gauge("queued", "Submissions that wait for their turn.", () => core.status().queued);
  gauge("connections", "Agents that are connected.", () => core.status().connections);
}

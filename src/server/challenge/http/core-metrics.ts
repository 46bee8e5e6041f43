import type { MetricSet } from "../../../core/telemetry/metric-set.js";
import type { ChallengeCore } from "../core.js";

/** What the challenge is doing, for monitors. Teams are no labels: who is evaluated is nobody else's business. */
export function coreMetrics(metrics: MetricSet, core: ChallengeCore): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.measured({ name: `robot_eval_challenge_${name}`, help, type: "gauge" }, read);
  gauge("running", "Submissions under way.", () => core.status().running);
  gauge("queued", "Submissions that wait for their turn.", () => core.status().queued);
  gauge("connections", "Agents that are connected.", () => core.status().connections);
}

import type { ChallengeLimits } from "./config.js";

/** Seconds that the relay gets on top of the agent, so that it is the relay that finds an agent too slow. */
const MARGIN_S = 15;

/**
 * What of the benchmark is other than in a local run: how long the relay may take. Nothing that changes a result.
 * A benchmark that gives up when its agent is gone would do so anyway; one that never does must not go on for hours.
 */
export function relaySettings(limits: ChallengeLimits): string[] {
  const patience = limits.connect_grace + MARGIN_S;
  return [
    `policy.connect_timeout=${MARGIN_S}`,
    `policy.action_timeout=${limits.action_timeout + patience}`,
    `policy.cold_start_timeout=${limits.cold_start_timeout + patience}`,
    "policy.reconnect_grace=0",
  ];
}

import type { ChallengeLimits } from "../config.js";

/** Seconds by which the relay's timeouts exceed the agent's, so that the relay detects a slow agent first. */
const MARGIN_S = 15;

/**
 * Overrides of the benchmark's timeouts for the relay; none of them changes a result. Without a reconnect grace, an
 * evaluation whose agent has disconnected ends at once.
 */
export function relaySettings(limits: ChallengeLimits): string[] {
  const extra = limits.connect_grace + MARGIN_S;
  return [
    `policy.connect_timeout=${MARGIN_S}`,
    `policy.action_timeout=${limits.action_timeout + extra}`,
    `policy.cold_start_timeout=${limits.cold_start_timeout + extra}`,
    "policy.reconnect_grace=0",
  ];
}

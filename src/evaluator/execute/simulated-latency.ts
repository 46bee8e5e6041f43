import { ConfigError } from "../../core/errors.js";
import type { SimulatorFrame } from "../../core/interfaces/simulator.js";

/** Delay of a policy's action, in control steps or in seconds of simulated time. */
export type SimulatedLatency = { readonly steps: number } | { readonly seconds: number };

interface Wait {
  /** The frame that the policy acts on. */
  readonly asked: SimulatorFrame;
  /** The current frame. */
  readonly frame: SimulatorFrame;
  /** Control steps between the two. */
  readonly waited: number;
}

/** Tolerance for rounding in simulated clocks. */
const SLACK_S = 1e-9;

/**
 * Whether the action is still delayed. Only simulated time counts: real time would make results depend on the
 * machine. The first action of an episode is never delayed, since there is no earlier action to repeat.
 */
export function stillThinking(latency: SimulatedLatency, wait: Wait): boolean {
  if ("steps" in latency) return wait.waited < latency.steps;
  const { asked, frame } = wait;
  if (asked.timeS === undefined || frame.timeS === undefined) {
    throw new ConfigError(
      "no_clock",
      "simulated_latency is in seconds, but this simulator has no clock",
      { hint: "give it in control steps: `simulated_latency: {steps: 2}`" },
    );
  }
  return frame.timeS - asked.timeS < latency.seconds - SLACK_S;
}

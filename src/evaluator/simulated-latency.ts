import { ConfigError } from "../core/errors.js";
import type { SimulatorFrame } from "../core/interfaces/simulator.js";

/** How long a policy's answer takes to arrive, in control steps or in seconds of simulated time. */
export type SimulatedLatency = { readonly steps: number } | { readonly seconds: number };

interface Wait {
  /** What the policy was asked about. */
  readonly asked: SimulatorFrame;
  /** The world by now. */
  readonly frame: SimulatorFrame;
  /** Control steps since. */
  readonly waited: number;
}

/** A hair below the latency counts as reached: simulated clocks add up fractions of a second. */
const SLACK_S = 1e-9;

/**
 * Whether the answer is still on its way. Simulated time only: real time would make the result depend on
 * the machine. The first action of an episode comes at once, since there is none to go on with.
 */
export function stillThinking(latency: SimulatedLatency, wait: Wait): boolean {
  if ("steps" in latency) return wait.waited < latency.steps;
  const { asked, frame } = wait;
  if (asked.timeS === undefined || frame.timeS === undefined) {
    throw new ConfigError(
      "no_clock",
      "simulated_latency is given in seconds, and this simulator has no clock",
      { hint: "give it in control steps: `simulated_latency: {steps: 2}`" },
    );
  }
  return frame.timeS - asked.timeS < latency.seconds - SLACK_S;
}

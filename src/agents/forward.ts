import { type Action, STOP } from "../core/interfaces/action.js";
import type { Agent, AgentFactory } from "../core/interfaces/agent.js";
import type { Observation } from "../core/interfaces/observation.js";

/** Smaller displacements count as standing still, in metres. */
const STILL_M = 0.01;

/**
 * Walks straight ahead and stops when blocked. Shows how much of a benchmark needs no perception. Without a `gps`
 * sensor it cannot detect that it is blocked and never stops.
 */
export class ForwardAgent implements Agent {
  #before: readonly number[] | undefined;
  #moved = false;

  reset(): void {
    this.#before = undefined;
    this.#moved = false;
  }

  act(observation: Observation): Action {
    const here = position(observation.gps);
    const blocked = this.#moved && here && this.#before && distance(here, this.#before) < STILL_M;
    this.#before = here;
    this.#moved = true;
    return blocked ? STOP : "move_forward";
  }
}

function position(gps: unknown): readonly number[] | undefined {
  return Array.isArray(gps) && gps.every((x) => typeof x === "number") ? gps : undefined;
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((x, i) => x - (b[i] ?? 0)));
}

export const forwardAgentFactory: AgentFactory = {
  description: "walks straight ahead and stops when blocked",
  create: () => new ForwardAgent(),
};

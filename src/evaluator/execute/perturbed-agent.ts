import type { Instruction } from "../../core/episode/schemas.js";
import type { Action } from "../../core/interfaces/action.js";
import type { Agent, AgentEpisode, AgentEpisodeEnd } from "../../core/interfaces/agent.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type { MaybePromise } from "../../core/interfaces/simulator.js";
import type { PolicyChannel } from "../../core/perturbation/axis.js";
import { isRecord } from "../../core/record.js";
import type { ActionSpace } from "../../core/task/types.js";
import { isThenable } from "./deadline.js";

/**
 * An agent that receives and acts through a perturbed channel, for one episode. It closes nothing: the agent inside
 * serves other episodes, too.
 */
export class PerturbedAgent implements Agent {
  readonly #inner: Agent;
  readonly #channel: PolicyChannel;
  #instruction: Instruction | undefined;
  #space: ActionSpace | undefined;

  constructor(inner: Agent, channel: PolicyChannel) {
    this.#inner = inner;
    this.#channel = channel;
  }

  reset(start: AgentEpisode): MaybePromise<void> {
    this.#space = start.actionSpace;
    const { instruction } = start.episode;
    if (!this.#channel.instruction || !isRecord(instruction)) return this.#inner.reset(start);
    this.#instruction = this.#channel.instruction(instruction);
    const episode = { ...start.episode, instruction: this.#instruction };
    return this.#inner.reset({ ...start, episode });
  }

  act(observation: Observation): MaybePromise<Action> {
    const seen = this.#channel.observe?.(observation) ?? observation;
    const action = this.#inner.act(this.#withInstruction(seen));
    return isThenable(action)
      ? action.then((done) => this.#executed(done))
      : this.#executed(action);
  }

  get peer(): Agent["peer"] {
    return this.#inner.peer;
  }

  get prepared(): boolean {
    return this.#inner.prepared === true;
  }

  end(end: AgentEpisodeEnd): MaybePromise<void> {
    return this.#inner.end?.(end);
  }

  /** Images stay getters, because reading them here would render them. */
  #withInstruction(observation: Observation): Observation {
    const told = this.#instruction;
    if (!told || !Object.hasOwn(observation, "instruction")) return observation;
    const isText = typeof observation.instruction === "string";
    return Object.defineProperties(
      {},
      {
        ...Object.getOwnPropertyDescriptors(observation),
        instruction: { enumerable: true, value: isText ? (told.text ?? "") : told },
      },
    );
  }

  /** What is not an action of the task is left for the evaluator to reject. */
  #executed(raw: Action): Action {
    const { act } = this.#channel;
    const space = this.#space;
    if (!act || !space) return raw;
    return act(space.parse(raw), space);
  }
}

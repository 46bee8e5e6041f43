import { ConfigError } from "../core/errors.js";
import { type Action, STOP } from "../core/interfaces/action.js";
import type {
  Agent,
  AgentEpisode,
  AgentEpisodeEnd,
  AgentFactory,
} from "../core/interfaces/agent.js";
import type { Observation } from "../core/interfaces/observation.js";
import { hash53 } from "../core/math/hash.js";
import { Random } from "../core/math/random.js";
import { ActionSpace } from "../core/task/types.js";

const AROUND = "shortest-path";

/**
 * Another agent that, with a given chance, does something else than it meant to. A benchmark that cannot
 * tell little noise from much cannot tell good policies from bad ones.
 *
 * The something else is never `stop`: a stop ends the episode, and one drawn by chance would say how long
 * the episodes are rather than how well the agent finds its way. `goto:<node>` needs a neighbour's name
 * and is left out as well.
 */
export class NoisyAgent implements Agent {
  readonly #inner: Agent;
  readonly #chance: number;
  #random = new Random(0);
  #space: ActionSpace | undefined;

  constructor(inner: Agent, chance: number) {
    this.#inner = inner;
    this.#chance = chance;
  }

  async reset(episode: AgentEpisode): Promise<void> {
    const { actionSpace: space, seed } = episode;
    this.#random = new Random(hash53(`${seed}/noise`));
    const moves = space.actions?.filter((name) => name !== STOP && name !== "goto");
    if (space.name === "discrete" && moves?.length === 0) {
      throw new ConfigError("no_moves", "the task offers no action that could be taken by mistake");
    }
    this.#space =
      space.name === "discrete"
        ? new ActionSpace({ name: "discrete", actions: moves ?? [] })
        : space;
    await this.#inner.reset(episode);
  }

  /** The inner agent is asked either way, so that its own stream does not depend on the noise. */
  async act(observation: Observation): Promise<Action> {
    if (!this.#space) throw new Error("act() before reset()");
    const meant = await this.#inner.act(observation);
    return this.#random.uniform() < this.#chance ? this.#space.sample(this.#random) : meant;
  }

  get prepared(): boolean {
    return this.#inner.prepared === true;
  }

  async end(end: AgentEpisodeEnd): Promise<void> {
    await this.#inner.end?.(end);
  }

  async close(): Promise<void> {
    await this.#inner.close?.();
  }
}

/** `0.3` and `0.3:random`: the chance, and the agent that stands inside. */
function parse(argument: string | undefined): { readonly chance: number; readonly inner: string } {
  const [share = "", ...rest] = (argument ?? "").split(":");
  const chance = share.trim() === "" ? Number.NaN : Number(share);
  if (!(chance >= 0 && chance <= 1)) {
    throw new ConfigError("bad_agent", `noisy:${argument ?? ""}: "${share}" is not a chance`, {
      hint: "give a number from 0 to 1, and an agent if it is not shortest-path: noisy:0.3, noisy:0.3:forward",
    });
  }
  return { chance, inner: rest.length === 0 ? AROUND : rest.join(":") };
}

export const noisyAgentFactory: AgentFactory = {
  description: "another agent that takes a random action, never stop, with a given chance",
  argument: "<chance>[:<agent>], the agent being shortest-path if none is named",
  wraps: (argument) => parse(argument).inner,
  async create({ argument, agent }) {
    const { chance, inner } = parse(argument);
    if (!agent) throw new Error("a noisy agent was made without a way to make the one inside");
    return new NoisyAgent(await agent(inner), chance);
  },
};

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
import type { PolicyIdentity } from "../core/policy-identity.js";
import { ActionSpace } from "../core/task/types.js";

const AROUND = "shortest-path";

/**
 * Wraps another agent and, with a given probability, replaces its action by a random one. A benchmark that cannot
 * distinguish little noise from much cannot distinguish good policies from bad ones.
 *
 * The random action is never `stop`: that would measure the length of episodes rather than navigation. `goto:<node>`
 * is left out too, because it needs the name of an adjacent node.
 */
export class NoisyAgent implements Agent {
  #random = new Random(0);
  #space: ActionSpace | undefined;

  constructor(
    private readonly inner: Agent,
    private readonly chance: number,
  ) {}

  async reset(episode: AgentEpisode): Promise<void> {
    const { actionSpace: space, seed } = episode;
    this.#random = new Random(hash53(`${seed}/noise`));
    const moves = space.actions?.filter((name) => name !== STOP && name !== "goto");
    if (space.name === "discrete" && moves?.length === 0) {
      throw new ConfigError("no_moves", "the task has no action that can be taken at random");
    }
    this.#space =
      space.name === "discrete"
        ? new ActionSpace({ name: "discrete", actions: moves ?? [] })
        : space;
    await this.inner.reset(episode);
  }

  /** Asks the inner agent in both cases, so that its random stream does not depend on the noise. */
  async act(observation: Observation): Promise<Action> {
    if (!this.#space) throw new Error("act() before reset()");
    const meant = await this.inner.act(observation);
    return this.#random.uniform() < this.chance ? this.#space.sample(this.#random) : meant;
  }

  get identity(): PolicyIdentity | undefined {
    return this.inner.identity;
  }

  get prepared(): boolean {
    return this.inner.prepared === true;
  }

  async end(end: AgentEpisodeEnd): Promise<void> {
    await this.inner.end?.(end);
  }

  async close(): Promise<void> {
    await this.inner.close?.();
  }
}

/** Parses `0.3` and `0.3:random`: the probability and the inner agent. */
function parse(argument: string | undefined): { readonly chance: number; readonly inner: string } {
  const [share = "", ...rest] = (argument ?? "").split(":");
  const chance = share.trim() === "" ? Number.NaN : Number(share);
  if (!(chance >= 0 && chance <= 1)) {
    throw new ConfigError("bad_agent", `noisy:${argument ?? ""}: "${share}" is not a probability`, {
      hint: "write a number from 0 to 1, and an agent other than shortest-path if wanted: noisy:0.3, noisy:0.3:forward",
    });
  }
  return { chance, inner: rest.length === 0 ? AROUND : rest.join(":") };
}

export const noisyAgentFactory: AgentFactory = {
  description: "another agent that takes a random action, never stop, with a given probability",
  argument: "<probability>[:<agent>]; the agent is shortest-path by default",
  wraps: (argument) => parse(argument).inner,
  async create({ argument, agent }) {
    const { chance, inner } = parse(argument);
    if (!agent) throw new Error("a noisy agent needs a factory for its inner agent");
    return new NoisyAgent(await agent(inner), chance);
  },
};

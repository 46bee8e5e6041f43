import type { Conversation, Dialect, HandshakeContext } from "../../api/dialects/dialect.js";
import { mapActions } from "../../api/mapping/action.js";
import { mapObservation } from "../../api/mapping/observation.js";
import { resolveMapping } from "../../api/mapping/resolve.js";
import { goneBecause } from "../../api/websocket/peer-error.js";
import { PeerSocket } from "../../api/websocket/peer-socket.js";
import { connectMs, type PolicySettings } from "../../config/policy.js";
import { ProtocolError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type {
  Agent,
  AgentEpisode,
  AgentEpisodeEnd,
  AgentTask,
} from "../../core/interfaces/agent.js";
import type { Observation } from "../../core/interfaces/observation.js";
import { isSameIdentity, otherPolicy, type PolicyIdentity } from "../../core/policy-identity.js";
import type { ActionSpace } from "../../core/task/types.js";
import { dialectIdentity } from "./identity.js";

/** Timeout for sending the end of an episode, which has no reply. */
const END_TIMEOUT_MS = 4000;

/** Timeout for dialling a policy whose last connection attempt failed, in milliseconds. */
const GONE_MS = 1000;

interface Open {
  readonly peer: PeerSocket;
  readonly conversation: Conversation;
  /** True after the first reply, which may have to wait for weights and compilation. */
  warm: boolean;
}

export interface DialectOptions {
  readonly dialect: Dialect;
  readonly url: string;
  readonly settings: PolicySettings;
  readonly task: AgentTask | undefined;
  /** Token for policies that require one. */
  readonly token?: string | undefined;
  /** Limit for the first connection, in milliseconds. */
  readonly connectWithinMs?: number | undefined;
}

/**
 * A policy served in another project's protocol, over its own connection. A broken connection fails its episode; the
 * next episode dials again.
 */
export class DialectAgent implements Agent {
  readonly #identity: PolicyIdentity | undefined;
  #space: ActionSpace | undefined;
  #chunk: Action[] = [];
  /** True after a failed connection attempt, until one succeeds: the next attempts are short. */
  #isGone = false;

  private constructor(
    private readonly options: DialectOptions,
    private open: Open,
  ) {
    this.#identity = identityOf(options, open);
  }

  /** Connects to the policy, so that an unreachable or unsuitable one is reported before the run. */
  static async connect(options: DialectOptions): Promise<DialectAgent> {
    return new DialectAgent(options, await connect(options, options.connectWithinMs));
  }

  get peer(): Readonly<Record<string, unknown>> {
    return this.open.conversation.about;
  }

  get identity(): PolicyIdentity | undefined {
    return this.#identity;
  }

  get prepared(): boolean {
    return this.#chunk.length > 0;
  }

  async reset(episode: AgentEpisode): Promise<void> {
    this.#chunk = [];
    this.#space = episode.actionSpace;
    if (!this.open.peer.isOpen) this.open = await this.#connectAgain();
    await this.open.conversation.begin(episode, this.#timeoutMs());
  }

  async act(observation: Observation): Promise<Action> {
    const next = this.#chunk.shift();
    if (next !== undefined) return next;
    const [first, ...rest] = await this.#ask(observation);
    this.#chunk = rest;
    if (first === undefined) throw new ProtocolError("bad_action", "the policy returned no action");
    return first;
  }

  async end(end: AgentEpisodeEnd): Promise<void> {
    if (this.open.peer.isOpen) await this.open.conversation.end(end, END_TIMEOUT_MS);
  }

  close(): void {
    this.open.peer.close();
  }

  /** The policy may have been restarted with other weights. */
  async #connectAgain(): Promise<Open> {
    const open = await this.#dialAgain();
    const identity = identityOf(this.options, open);
    if (isSameIdentity(identity, this.#identity)) return open;
    open.peer.drop();
    throw otherPolicy(identity, this.#identity, this.options.url);
  }

  async #dialAgain(): Promise<Open> {
    try {
      const open = await connect(this.options, this.#isGone ? GONE_MS : undefined);
      this.#isGone = false;
      return open;
    } catch (reason) {
      const error = goneBecause(reason);
      this.#isGone ||= error !== reason;
      throw error;
    }
  }

  async #ask(observation: Observation): Promise<readonly Action[]> {
    const { conversation } = this.open;
    const { mapping, actionKeys } = conversation;
    const input = mapObservation(observation, mapping.observation);
    const reply = await conversation.infer(input, this.#timeoutMs());
    this.open.warm = true;
    const keys = mapping.action?.from ? [mapping.action.from] : actionKeys;
    const key = keys.find((name) => reply[name] !== undefined);
    if (key === undefined || !this.#space) {
      throw new ProtocolError(
        "bad_action",
        `the policy's reply has no ${keys[0]}; it has ${Object.keys(reply).join(", ") || "nothing"}`,
        { hint: "set policy.mapping.action.from to the key of the actions" },
      );
    }
    const actions = mapActions(reply[key], mapping.action, this.#space);
    return actions.slice(0, this.options.settings.execute);
  }

  #timeoutMs(): number {
    const { cold_start_timeout, action_timeout } = this.options.settings;
    return (this.open.warm ? action_timeout : cold_start_timeout) * 1000;
  }
}

function identityOf({ dialect }: DialectOptions, { conversation }: Open) {
  return dialectIdentity(conversation.about, dialect.name);
}

async function connect(
  { dialect, url, settings, task, token }: DialectOptions,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<Open> {
  const { execute, mapping } = settings;
  const waitMs = Math.min(connectMs(settings), mostMs);
  const context: HandshakeContext = {
    task,
    mapping: resolveMapping(mapping, dialect.name, task),
    execute,
    waitMs,
  };
  const headers = token === undefined ? undefined : dialect.headers?.(token);
  const peer = await PeerSocket.open(url, { timeoutMs: waitMs, ...(headers ? { headers } : {}) });
  try {
    return { peer, conversation: await dialect.greet(peer, context), warm: false };
  } catch (error) {
    peer.drop();
    throw error;
  }
}

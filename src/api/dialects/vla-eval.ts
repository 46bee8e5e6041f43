import { StopRunError, show } from "../../core/errors.js";
import type { AgentEpisode, AgentEpisodeEnd } from "../../core/interfaces/agent.js";
import type { PolicyInput } from "../mapping/observation.js";
import type { Mapping } from "../mapping/resolve.js";
import { recordOf } from "../messages/episode-fields.js";
import { PeerError } from "../websocket/peer-error.js";
import type { PeerSocket } from "../websocket/peer-socket.js";
import type { Conversation, Dialect, HandshakeContext } from "./dialect.js";
import { packVlaEval, unpackVlaEval, type VlaEvalMessage } from "./vla-eval-frame.js";
import { fitVlaEval } from "./vla-eval-specs.js";

const PROTOCOL_VERSION = 1;

/**
 * vla-eval (allenai/vla-evaluation-harness): numbered, typed messages. The server's `hello` declares its observations
 * and actions; an action carries the number of its observation.
 */
export const vlaEval: Dialect = {
  name: "vla-eval",
  async greet(peer, context): Promise<Conversation> {
    const conversation = new VlaEvalConversation(peer);
    await conversation.hello(context);
    return conversation;
  },
};

class VlaEvalConversation implements Conversation {
  readonly actionKeys = ["actions", "action"];
  #about: PolicyInput = {};
  #mapping: Mapping = {};
  #seq = 0;
  /** Number of the last `episode_start`. The server answers it only on failure, at any later time. */
  #start = -1;

  constructor(private readonly peer: PeerSocket) {}

  get about(): PolicyInput {
    return this.#about;
  }

  get mapping(): Mapping {
    return this.#mapping;
  }

  async hello(context: HandshakeContext): Promise<void> {
    const seq = await this.#send("hello", {
      harness_version: "robot-eval",
      protocol_version: PROTOCOL_VERSION,
      ...(context.task ? { benchmark: context.task.type } : {}),
    });
    const { payload } = await this.#answer("hello", seq, context.waitMs);
    if (payload.protocol_version !== PROTOCOL_VERSION) {
      throw new StopRunError(
        "version_mismatch",
        `the model server uses version ${show(payload.protocol_version)} of vla-eval's protocol, this side ${PROTOCOL_VERSION}`,
        { where: this.peer.url },
      );
    }
    this.#about = payload;
    this.#mapping = fitVlaEval(payload, context);
  }

  async begin({ episode, episodeId, taskType }: AgentEpisode): Promise<void> {
    const { text } = recordOf(episode.instruction);
    const name = typeof text === "string" ? text : taskType;
    const task = { name, suite: taskType, episode_id: episodeId };
    this.#start = await this.#send("episode_start", { task });
  }

  async infer(observation: PolicyInput, waitMs: number): Promise<PolicyInput> {
    const seq = await this.#send("observation", observation);
    return (await this.#answer("action", seq, waitMs)).payload;
  }

  /** Sends the end of the episode without the score. */
  async end({ reason, steps }: AgentEpisodeEnd): Promise<void> {
    if (this.peer.isOpen) await this.#send("episode_end", { metrics: {}, steps, reason });
  }

  async #send(type: VlaEvalMessage["type"], payload: PolicyInput): Promise<number> {
    const seq = ++this.#seq;
    await this.peer.send(await packVlaEval({ type, payload, seq, timestamp: Date.now() / 1000 }));
    return seq;
  }

  /** Receives the reply with our number; ignores late replies to earlier requests. */
  async #answer(
    type: VlaEvalMessage["type"],
    seq: number,
    waitMs: number,
  ): Promise<VlaEvalMessage> {
    for (;;) {
      const message = unpackVlaEval(await this.peer.receive(waitMs, type));
      const own = message.seq === seq;
      if (message.type === "error" && (own || message.seq === this.#start)) {
        throw new PeerError(
          "policy_error",
          `the policy failed: ${show(message.payload.error, 500)}`,
        );
      }
      if (own && message.type === type) return message;
    }
  }
}

import type { PolicyIdentity } from "../../core/policy-identity.js";
import { type Capabilities, ENCODINGS, type Encoding, type MessageOf } from "../messages/base.js";
import { dial, retrying } from "../websocket/client.js";
import { type Hello, introduce } from "../websocket/handshake.js";
import type { Link } from "../websocket/link.js";
import { PeerError } from "../websocket/peer-error.js";
import { EndedEpisodes, type EvaluationSummary } from "./evaluation-summary.js";
import { EvaluatorSessions } from "./evaluator-sessions.js";
import { type IdentityOptions, identityOf } from "./identity.js";
import type { PolicySource } from "./policy.js";
import { closePolicyPool, createPolicyPool, type PolicyPool } from "./policy-pool.js";
import { OBSERVATION_FRAME_BYTES } from "./serve.js";

export interface ConnectOptions extends IdentityOptions {
  /** Token for evaluators that require one. */
  readonly token?: string;
  /** Maximum number of concurrent sessions; 16 if absent. An object without `actBatch` has one. */
  readonly sessions?: number;
  /** Supported encodings, the preferred first. */
  readonly encodings?: readonly Encoding[];
  /** Seconds to keep dialling, at first and after a broken connection; 30 if absent. */
  readonly grace?: number;
  /** Largest accepted frame in bytes; 64 MiB if absent. */
  readonly maxFrame?: number;
  /** Further facts about the policy, recorded with the run. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PolicyClient {
  /**
   * Resolves with a summary when the evaluator disconnects; rejects when it rejects the policy or the connection is
   * lost.
   */
  readonly closed: Promise<EvaluationSummary>;
  /** Disconnects and closes the policies. */
  close(): Promise<void>;
}

/**
 * Dials an evaluator that listens, and answers its requests.
 *
 * @example
 * const client = await connect({ act: () => "move_forward" }, "ws://localhost:8765");
 * console.log((await client.closed).text); // 12 episodes, ...
 */
export async function connect(
  source: PolicySource,
  url: string,
  options: ConnectOptions = {},
): Promise<PolicyClient> {
  const pool = await createPolicyPool(source, options.sessions);
  const policy = identityOf(pool.declaration, options);
  const dialler = new Dialler(pool, url, { ...options, policy });
  await dialler.dial();
  const closed = dialler.run();
  // Mark the rejection as handled: a caller may ignore `closed`.
  closed.catch(() => {});
  return {
    closed,
    async close() {
      dialler.stop();
      await closed.catch(() => {});
    },
  };
}

interface DiallerOptions extends ConnectOptions {
  readonly policy: PolicyIdentity | undefined;
}

class Dialler {
  readonly #stopping = new AbortController();
  #link: Link | undefined;
  #sessions: EvaluatorSessions | undefined;
  #resumeToken: string | undefined;
  readonly #episodes = new EndedEpisodes();
  /** What the evaluator said about itself. */
  #evaluator: MessageOf<"connected">["server"];

  constructor(
    private readonly pool: PolicyPool,
    private readonly url: string,
    private readonly options: DiallerOptions,
  ) {}

  /** Dials until the evaluator answers or the grace time ends. */
  async dial(): Promise<void> {
    const { grace = 30, maxFrame = OBSERVATION_FRAME_BYTES, token, policy } = this.options;
    const { signal } = this.#stopping;
    await retrying({ timeoutMs: grace * 1000, signal }, async (timeoutMs) => {
      const link = await dial(this.url, { timeoutMs, signal, maxPayload: maxFrame });
      const hello = { role: "agent", capabilities: this.#capabilities(), token, policy } as const;
      try {
        this.#connected(link, await introduce(link, { ...hello, ...this.#resume() }, timeoutMs));
      } catch (error) {
        void link.close();
        throw error;
      }
    });
  }

  /** Serves one connection after the other until one ends for good. */
  async run(): Promise<EvaluationSummary> {
    const { signal } = this.#stopping;
    try {
      while (!(await this.#serve())) await this.dial();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#sessions?.end();
      await closePolicyPool(this.pool);
    }
    return this.#episodes.summary(this.url, this.#evaluator);
  }

  stop(): void {
    this.#stopping.abort();
    this.#sessions?.sendDisconnect("the policy is stopping");
    this.#link?.close();
  }

  #connected(link: Link, hello: MessageOf<"connected">): void {
    const sessions = hello.resumed === true ? this.#sessions : undefined;
    if (!sessions || sessions.id !== hello.session_id) {
      this.#sessions?.end();
      this.#sessions = new EvaluatorSessions(hello.session_id, hello.capabilities ?? {}, this.pool);
    }
    this.#evaluator = hello.server;
    this.#resumeToken = hello.resume_token;
    this.#link = link;
    this.#sessions?.attach(link);
  }

  #capabilities(): Capabilities {
    const { capabilities } = this.pool.declaration;
    const encodings = [...(this.options.encodings ?? ENCODINGS)];
    return { ...capabilities, encodings, sessions: this.pool.capacity };
  }

  #resume(): Pick<Hello, "resume"> {
    if (!this.#sessions || this.#resumeToken === undefined) return {};
    const { id, lastSeq } = this.#sessions;
    return { resume: { session_id: id, last_seq: lastSeq, resume_token: this.#resumeToken } };
  }

  /** Resolves with true when the evaluator is done, false when the connection was lost. */
  #serve(): Promise<boolean> {
    const link = this.#link;
    const sessions = this.#sessions;
    if (!link || !sessions) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      link.listen({
        onMessage: (message) => {
          if (message.type === "episode_end") this.#episodes.add(message);
          if (message.type === "disconnect") {
            this.#episodes.end(message);
            resolve(true);
            link.close();
          } else if (message.type === "error" && message.fatal) {
            reject(new PeerError(message.code, `the evaluator reports: ${message.message}`));
            link.close();
          } else sessions.receive(message);
        },
        onClose: (code) => {
          sessions.detach(link);
          resolve(code === 1000 || this.#stopping.signal.aborted);
        },
      });
    });
  }
}

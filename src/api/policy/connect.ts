import { type Capabilities, ENCODINGS, type Encoding, type MessageOf } from "../messages/base.js";
import { dial, retrying } from "../websocket/client.js";
import { type Hello, introduce } from "../websocket/handshake.js";
import type { Link } from "../websocket/link.js";
import { PeerError } from "../websocket/peer-error.js";
import { type Cast, castOf, closeCast } from "./cast.js";
import type { PolicySource } from "./policy.js";
import { OBSERVATION_FRAME_BYTES } from "./serve.js";
import { Visit } from "./visit.js";

export interface ConnectOptions {
  /** For evaluators that ask for one. */
  readonly token?: string;
  /** The most sessions side by side; 16 if absent. An object without `actBatch` has one. */
  readonly sessions?: number;
  /** The forms of frames, the preferred first. */
  readonly encodings?: readonly Encoding[];
  /** Seconds to go on dialling when nobody answers, at first and after a drop; 30 if absent. */
  readonly grace?: number;
  /** The largest frame that is read, in bytes; 64 MiB if absent. */
  readonly maxFrame?: number;
}

export interface PolicyClient {
  /** Resolves when the evaluator has taken its leave; rejects when it refused the policy or got lost. */
  readonly closed: Promise<void>;
  /** Takes leave, and closes the policies. */
  close(): Promise<void>;
}

/** Dials an evaluator that listens, and plays what it asks for. */
export async function connect(
  source: PolicySource,
  url: string,
  options: ConnectOptions = {},
): Promise<PolicyClient> {
  const caller = new Caller(await castOf(source, options.sessions), url, options);
  await caller.dial();
  const closed = caller.stay();
  // Who does not look at it is not to be ended by it.
  closed.catch(() => {});
  return {
    closed,
    async close() {
      caller.leave();
      await closed.catch(() => {});
    },
  };
}

class Caller {
  readonly #cast: Cast;
  readonly #url: string;
  readonly #options: ConnectOptions;
  readonly #leaving = new AbortController();
  #link: Link | undefined;
  #visit: Visit | undefined;
  #resumeToken: string | undefined;

  constructor(cast: Cast, url: string, options: ConnectOptions) {
    this.#cast = cast;
    this.#url = url;
    this.#options = options;
  }

  /** Until somebody answers, or the grace time is over. */
  async dial(): Promise<void> {
    const { grace = 30, maxFrame = OBSERVATION_FRAME_BYTES, token } = this.#options;
    const { signal } = this.#leaving;
    await retrying({ timeoutMs: grace * 1000, signal }, async (timeoutMs) => {
      const link = await dial(this.#url, { timeoutMs, signal, maxPayload: maxFrame });
      const hello = { role: "agent", capabilities: this.#capabilities(), token } as const;
      try {
        this.#connected(link, await introduce(link, { ...hello, ...this.#resume() }, timeoutMs));
      } catch (error) {
        void link.close();
        throw error;
      }
    });
  }

  /** Plays over one connection after the other, until one ends for good. */
  async stay(): Promise<void> {
    const { signal } = this.#leaving;
    try {
      while (!(await this.#play())) await this.dial();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#visit?.end();
      await closeCast(this.#cast);
    }
  }

  leave(): void {
    this.#leaving.abort();
    this.#visit?.takeLeave("the policy stops");
    this.#link?.close();
  }

  #connected(link: Link, hello: MessageOf<"connected">): void {
    const visit = hello.resumed === true ? this.#visit : undefined;
    if (!visit || visit.id !== hello.session_id) {
      this.#visit?.end();
      this.#visit = new Visit(hello.session_id, hello.capabilities ?? {}, this.#cast);
    }
    this.#resumeToken = hello.resume_token;
    this.#link = link;
    this.#visit?.attach(link);
  }

  #capabilities(): Capabilities {
    const { capabilities } = this.#cast.declaration;
    const encodings = [...(this.#options.encodings ?? ENCODINGS)];
    return { ...capabilities, encodings, sessions: this.#cast.capacity };
  }

  #resume(): Pick<Hello, "resume"> {
    if (!this.#visit || this.#resumeToken === undefined) return {};
    const { id, lastSeq } = this.#visit;
    return { resume: { session_id: id, last_seq: lastSeq, resume_token: this.#resumeToken } };
  }

  /** True when the evaluator is done with us; false when the connection was lost. */
  #play(): Promise<boolean> {
    const link = this.#link;
    const visit = this.#visit;
    if (!link || !visit) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      link.listen({
        onMessage: (message) => {
          if (message.type === "disconnect") {
            resolve(true);
            link.close();
          } else if (message.type === "error" && message.fatal) {
            reject(new PeerError(message.code, `the evaluator says: ${message.message}`));
            link.close();
          } else visit.receive(message);
        },
        onClose: (code) => {
          visit.detach(link);
          resolve(code === 1000 || this.#leaving.signal.aborted);
        },
      });
    });
  }
}

import { errorCode } from "../../core/errors.js";
import { cleanText } from "../../core/text.js";
import type { Accepted } from "../websocket/accept.js";
import { PeerError } from "../websocket/peer-error.js";
import { WebSocketServer } from "../websocket/server.js";
import { PolicyConnection } from "./connection.js";
import {
  type ConnectOptions,
  evaluatorCapabilities,
  type PolicySource,
  type SourceOptions,
  timesOf,
} from "./source.js";

/** Characters of a rejection's reason that are shown. */
const MOST_REFUSAL = 200;

export interface ListenAddress {
  readonly host?: string | undefined;
  readonly port: number;
}

/** Accepts policies that dial in, at any time and in any number. */
export class ListeningForPolicies implements PolicySource {
  readonly #connections = new Map<string, PolicyConnection>();
  readonly #awaited = new Set<() => void>();
  /** Codes of rejections that were reported; each is reported once, so that clients cannot fill the log. */
  readonly #reported = new Set<unknown>();
  #lastRefusal: string | undefined;
  #server: WebSocketServer | undefined;

  private constructor(private readonly options: SourceOptions) {}

  static async open(address: ListenAddress, options: SourceOptions): Promise<ListeningForPolicies> {
    const source = new ListeningForPolicies(options);
    source.#server = await WebSocketServer.listen({
      ...address,
      expects: "agent",
      capabilities: evaluatorCapabilities(options),
      server: { name: "robot-eval" },
      token: options.token,
      resumable: options.policy.reconnect_grace > 0,
      onConnection: (accepted) => source.#accept(accepted),
      onRefused: (error) => source.#refused(error),
    });
    return source;
  }

  /** `ws://host:port` where policies dial in. */
  get label(): string {
    return this.#server?.url ?? "";
  }

  /** Resolves when the next policy dials in. */
  connect({ timeoutMs }: ConnectOptions): Promise<void> {
    const here = this.#connections.size;
    const awaited = here === 0 ? "a policy" : `more than the ${here} connected`;
    this.options.hooks.onWait?.(`listening on ${this.label}: waiting for ${awaited} to dial in`);
    return new Promise((resolve, reject) => {
      const arrived = () => {
        clearTimeout(timer);
        this.#awaited.delete(arrived);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#awaited.delete(arrived);
        reject(this.#nobody(timeoutMs));
      }, timeoutMs);
      this.#awaited.add(arrived);
    });
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  #accept({ link, hello, sessionId, capabilities, resumed, ...accepted }: Accepted): void {
    const { resumeToken, remote } = accepted;
    const known = this.#connections.get(sessionId);
    if (resumed && known) {
      known.adopt(link);
      return;
    }
    const connection = new PolicyConnection(
      `policy from ${remote}`,
      { link, sessionId, capabilities, policy: hello.policy, resumeToken },
      timesOf(this.options.policy),
      { onChange: (changed) => this.#changed(changed) },
    );
    this.#connections.set(sessionId, connection);
    this.options.hooks.onConnection(connection);
    for (const arrived of [...this.#awaited]) arrived();
  }

  #changed(connection: PolicyConnection): void {
    if (!connection.isAlive) {
      this.#connections.delete(connection.sessionId);
      this.#server?.forget(connection.sessionId);
    }
    this.options.hooks.onChange(connection);
  }

  #refused(error: unknown): void {
    const code = errorCode(error);
    // After an invalid `connect` the handshake also times out; the error of the `connect` names the cause.
    if (code === "no_handshake" && this.#lastRefusal !== undefined) return;
    this.#lastRefusal = cleanText(
      error instanceof Error ? error.message : String(error),
      MOST_REFUSAL,
    );
    if (this.#reported.has(code)) return;
    this.#reported.add(code);
    this.options.hooks.onWait?.(`rejected a client that dialled in: ${this.#lastRefusal}`);
  }

  #nobody(timeoutMs: number): PeerError {
    const refusal = this.#lastRefusal ? `; the last client was rejected: ${this.#lastRefusal}` : "";
    const what = `no policy dialled in within ${timeoutMs / 1000} s${refusal}`;
    return new PeerError("no_policy", what, {
      where: this.label,
      hint: `start it so that it dials ${this.label}: connect(MyPolicy(), "${this.label}")`,
    });
  }
}

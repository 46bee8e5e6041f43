import type { Capabilities, Message, MessageOf } from "../messages/base.js";
import { encodingOf } from "../messages/negotiate.js";
import type { Link } from "../websocket/link.js";
import type { PolicyPool } from "./policy-pool.js";
import { errorReply, Session } from "./session.js";

/**
 * The sessions of one evaluator, over one connection or several successive ones. While it is disconnected, replies
 * are kept for its return.
 */
export class EvaluatorSessions {
  readonly #sessions = new Map<string, Session>();
  #link: Link | undefined;

  constructor(
    readonly id: string,
    readonly capabilities: Capabilities,
    private readonly pool: PolicyPool,
  ) {}

  /** Maximum number of concurrent sessions. */
  get size(): number {
    return this.capabilities.sessions ?? 1;
  }

  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  /** The highest answered request number; -1 before the first. */
  get lastSeq(): number {
    return [...this.#sessions.values()].reduce((most, { lastSeq }) => Math.max(most, lastSeq), -1);
  }

  /** Continues over this connection. The evaluator has dropped the previous link, so it is closed here too. */
  attach(link: Link): void {
    const old = this.#link;
    this.#link = link;
    link.encoding = encodingOf(this.capabilities);
    old?.terminate();
  }

  /** Returns false if another connection has already replaced this one. */
  detach(link: Link): boolean {
    if (this.#link !== link) return false;
    this.#link = undefined;
    return true;
  }

  receive(message: Message): void {
    switch (message.type) {
      case "reset_episode":
      case "get_action":
        this.#ask(message);
        return;
      case "episode_end":
        this.#sessions.get(message.session_id || this.id)?.end();
        return;
      case "error":
        // The evaluator could not use a reply; it decides what follows.
        return;
      default:
        this.#send(
          errorReply(
            message.session_id,
            "unexpected_message",
            `a policy does not accept ${message.type}`,
          ),
        );
    }
  }

  sendDisconnect(reason: string): void {
    this.#send({ type: "disconnect", session_id: this.id, reason });
  }

  /** Ends all sessions: the evaluator will not return. */
  end(): void {
    this.#link = undefined;
    for (const session of this.#sessions.values()) session.release();
    this.#sessions.clear();
  }

  #ask(message: MessageOf<"reset_episode"> | MessageOf<"get_action">): void {
    // Peers with a single session may omit its id.
    const id = message.session_id || this.id;
    const session =
      this.#sessions.get(id) ?? (message.type === "reset_episode" ? this.#begin(id) : undefined);
    if (session) {
      session.ask(message);
      return;
    }
    this.#send({
      ...errorReply(id, "unknown_session", this.#whyNot(id)),
      ...(message.seq === undefined ? {} : { re_seq: message.seq }),
    });
  }

  /** Creates a session on its first reset_episode. */
  #begin(id: string): Session | undefined {
    if (!this.#isOurs(id) || this.#sessions.size >= this.size) return undefined;
    const session = new Session(id, this.pool, (message) => this.#send(message));
    this.#sessions.set(id, session);
    return session;
  }

  #isOurs(id: string): boolean {
    return id === this.id || id.startsWith(`${this.id}/`);
  }

  #whyNot(id: string): string {
    if (!this.#isOurs(id)) {
      return `unknown session "${id}"; the first session is "${this.id}", others are "${this.id}/1" and so on`;
    }
    if (this.#sessions.size < this.size) return `the session "${id}" must start with reset_episode`;
    return `"${id}" exceeds the negotiated ${this.size} sessions`;
  }

  #send(message: Message): void {
    this.#link?.tell(message);
  }
}

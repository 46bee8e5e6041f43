import type { Capabilities, Message, MessageOf } from "../messages/base.js";
import { encodingOf } from "../messages/negotiate.js";
import type { Link } from "../websocket/link.js";
import type { Cast } from "./cast.js";
import { Session, sayError } from "./session.js";

/**
 * One evaluator's stay: its sessions, over one connection or over several one after the other. While it has none,
 * answers are kept for when it comes back.
 */
export class Visit {
  readonly id: string;
  readonly capabilities: Capabilities;
  readonly #cast: Cast;
  readonly #sessions = new Map<string, Session>();
  #link: Link | undefined;

  constructor(id: string, capabilities: Capabilities, cast: Cast) {
    this.id = id;
    this.capabilities = capabilities;
    this.#cast = cast;
  }

  /** How many sessions it may have side by side. */
  get size(): number {
    return this.capabilities.sessions ?? 1;
  }

  get isPresent(): boolean {
    return this.#link !== undefined;
  }

  /** The highest number of a request that was answered; -1 before the first. */
  get lastSeq(): number {
    return [...this.#sessions.values()].reduce((most, { lastSeq }) => Math.max(most, lastSeq), -1);
  }

  /** Goes on over this connection; one that is still there has been given up by the other side. */
  attach(link: Link): void {
    const old = this.#link;
    this.#link = link;
    link.encoding = encodingOf(this.capabilities);
    old?.terminate();
  }

  /** False when another connection has taken its place. */
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
        // About an answer of ours that the evaluator could not use; what follows from it is for it to say.
        return;
      default:
        this.#send(
          sayError(message.session_id, "unexpected_message", `${message.type} is not for a policy`),
        );
    }
  }

  takeLeave(reason: string): void {
    this.#send({ type: "disconnect", session_id: this.id, reason });
  }

  /** The evaluator does not come back. */
  end(): void {
    this.#link = undefined;
    for (const session of this.#sessions.values()) session.leave();
    this.#sessions.clear();
  }

  #ask(message: MessageOf<"reset_episode"> | MessageOf<"get_action">): void {
    // Peers that know of one session only may leave its name away.
    const id = message.session_id || this.id;
    const session =
      this.#sessions.get(id) ?? (message.type === "reset_episode" ? this.#begin(id) : undefined);
    if (session) {
      session.ask(message);
      return;
    }
    this.#send({
      ...sayError(id, "unknown_session", this.#whyNot(id)),
      ...(message.seq === undefined ? {} : { re_seq: message.seq }),
    });
  }

  /** A session begins with its first reset_episode. */
  #begin(id: string): Session | undefined {
    if (!this.#isOurs(id) || this.#sessions.size >= this.size) return undefined;
    const session = new Session(id, this.#cast, (message) => this.#send(message));
    this.#sessions.set(id, session);
    return session;
  }

  #isOurs(id: string): boolean {
    return id === this.id || id.startsWith(`${this.id}/`);
  }

  #whyNot(id: string): string {
    if (!this.#isOurs(id)) {
      return `there is no session "${id}"; the first is "${this.id}", others are "${this.id}/1" and so on`;
    }
    if (this.#sessions.size < this.size) return `"${id}" begins with reset_episode`;
    return `"${id}" would be one more than the ${this.size} sessions that were agreed`;
  }

  #send(message: Message): void {
    this.#link?.tell(message);
  }
}

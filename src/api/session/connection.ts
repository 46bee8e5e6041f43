import { errorMessage, ProtocolError, type RobotEvalError } from "../../core/errors.js";
import { encodeFrame } from "../codec/frame.js";
import { recycleFrame } from "../codec/frame-pool.js";
import type { Capabilities, Encoding, Message, MessageOf } from "../messages/base.js";
import type { Link } from "../websocket/link.js";
import { PeerError } from "../websocket/peer-error.js";
import { SessionIds } from "./ids.js";
import { Pulse } from "./pulse.js";
import { type Answer, type Question, type Request, Requests } from "./requests.js";
import type { ConnectionHooks, Established, Times } from "./terms.js";

/** Closings that are an answer, after which there is nothing to take up again. */
const FINAL_CODES = [1002, 1003, 1007, 1008, 1009, 1010, 1011, 1013];

/**
 * A policy at the other end, as the evaluator sees it: asks, and gets answers. The link under it may break and
 * come back without anybody above noticing.
 */
export class PolicyConnection {
  /** Where the policy is, for people. */
  readonly label: string;
  readonly sessionId: string;
  readonly capabilities: Capabilities;
  readonly resumeToken: string | undefined;
  /** Of its sessions, those at work. */
  readonly ids: SessionIds;
  readonly #times: Times;
  readonly #hooks: ConnectionHooks;
  readonly #requests = new Requests();
  readonly #pulse: Pulse;
  #link: Link;
  #seq = 0;
  #lastAnswered = -1;
  #heard = { episode_ready: false, action: false };
  #dropped: { readonly over: AbortController; readonly timer: NodeJS.Timeout } | undefined;
  #failure: Error | undefined;

  constructor(label: string, established: Established, times: Times, hooks: ConnectionHooks) {
    this.label = label;
    this.sessionId = established.sessionId;
    this.capabilities = established.capabilities;
    this.resumeToken = established.resumeToken;
    this.ids = new SessionIds(this.sessionId, this.capabilities.sessions ?? 1);
    this.#times = times;
    this.#hooks = hooks;
    this.#pulse = new Pulse(() => this.#requests.size > 0);
    this.#link = established.link;
    this.#attend(established.link);
  }

  /** Has not ended for good; its link may be broken for the moment. */
  get isAlive(): boolean {
    return this.#failure === undefined;
  }

  get isUp(): boolean {
    return this.isAlive && this.#dropped === undefined;
  }

  /** Of one that has ended: when its link is closed too. */
  get closed(): Promise<void> {
    return this.#link.close();
  }

  get encoding(): Encoding {
    return this.#link.encoding;
  }

  /** Of the last request that was answered; -1 before the first. */
  get lastSeq(): number {
    return this.#lastAnswered;
  }

  /**
   * Asks. `sent` resolves when the request has left, so that who awaits it cannot pile up what a slow peer does
   * not read; `answer` rejects when the policy fails, does not answer in time or is gone.
   */
  ask(question: Question): { readonly sent: Promise<void>; readonly answer: Promise<Answer> } {
    if (this.#failure) return both(this.#failure);
    const seq = this.#seq++;
    let frame: string | Buffer;
    try {
      frame = encodeFrame({ ...question, seq }, this.encoding);
    } catch (error) {
      return both(error);
    }
    const { type, session_id: sessionId } = question;
    const timeoutMs = this.#patience(type);
    const answer = new Promise<Answer>((resolve, reject) => {
      const request = { seq, sessionId, type, timeoutMs, frame, resolve, reject };
      this.#requests.add(request, (late) => this.#timedOut(late));
    });
    // Who waits only for `sent` hears of it as well, when it comes to ask for the answer.
    answer.catch(() => {});
    // A link that breaks under it is seen as such; the request is sent again when it is back.
    const link = this.isUp ? this.#link : undefined;
    const sent = link ? link.sendFrame(frame).catch(() => {}) : Promise.resolve();
    const done = Promise.all([sent, answer]);
    done.then(
      // Sent once, over the link that is still there, and answered: nobody will look at it again.
      () => link === this.#link && recycleFrame(frame),
      () => {},
    );
    return { sent, answer };
  }

  /** For messages that have no answer. Lost while the link is broken. */
  tell(message: Message): void {
    if (this.isUp) this.#link.tell(message);
  }

  /** Nobody waits any more for what a session was asked. */
  abandon(sessionId: string): void {
    for (const request of this.#requests.of(sessionId)) {
      this.#giveUp(
        request,
        new PeerError("abandoned", `nobody waits for ${request.type} any more`),
      );
    }
  }

  /** The link that takes the place of the one that broke. What waits for an answer is asked again. */
  adopt(link: Link): void {
    if (this.#failure) {
      void link.close(1000, "the connection is over");
      return;
    }
    const old = this.#link;
    this.#endDrop();
    this.#attend(link);
    // A peer may have noticed the break before we did.
    if (old !== link) old.terminate();
    for (const frame of this.#requests.frames()) link.sendFrame(frame).catch(() => {});
    this.#hooks.onChange(this);
  }

  /** Ends it in order. What still waits is rejected. */
  close(reason: string): Promise<void> {
    return this.end(new PeerError("connection_closed", reason, { where: this.label }), reason);
  }

  /** Ends it for good, and says why to both sides. Resolves when the link is closed. */
  async end(error: Error, reason = errorMessage(error), code = 1000): Promise<void> {
    if (this.#failure) return;
    const link = this.#link;
    this.#fail(error);
    link.listen(undefined);
    link.tell({ type: "disconnect", session_id: this.sessionId, reason });
    await link.close(code, reason);
  }

  /** Tells the policy what is wrong with it, and ends; with a close code of RFC 6455. */
  refuse(error: RobotEvalError, code = 1000): void {
    this.tell({
      type: "error",
      session_id: this.sessionId,
      code: error.code,
      message: error.describe(),
      fatal: true,
    });
    void this.end(error, error.code, code);
  }

  #attend(link: Link): void {
    this.#link = link;
    this.#pulse.attach(link);
    link.listen({
      onMessage: (message) => this.#receive(message),
      onBadFrame: (error, value) => this.#unreadable(error, value),
      onClose: (code, reason) => {
        if (link === this.#link) this.#closed(code, reason);
      },
    });
  }

  #receive(message: Message): void {
    this.#pulse.seen();
    switch (message.type) {
      case "episode_ready":
      case "action": {
        const request = this.#requests.answeredBy(message);
        if (!request) return;
        this.#heard[message.type] = true;
        this.#lastAnswered = Math.max(this.#lastAnswered, request.seq);
        this.#requests.settle(request, message);
        return;
      }
      case "error":
        this.#troubled(message);
        return;
      case "disconnect": {
        const why = message.reason ? `: ${message.reason}` : "";
        this.#fail(this.#lost(`the policy said disconnect${why}`));
        void this.#link.close();
        return;
      }
      default:
        this.#hooks.onOddity?.(message.type);
        this.tell({
          type: "error",
          session_id: message.session_id,
          code: "unexpected_message",
          message: `a policy does not send \`${message.type}\``,
          fatal: false,
        });
    }
  }

  /** What a policy says when it fails. One that is fatal ends the connection. */
  #troubled(message: MessageOf<"error">): void {
    const error = new PeerError(message.code, `the policy reports: ${message.message}`, {
      where: this.label,
    });
    if (message.fatal) {
      this.#fail(error);
      void this.#link.close();
      return;
    }
    const request = this.#requests.blamedBy(message);
    if (request) this.#requests.reject(request, error);
  }

  /** A reply that is none would otherwise be waited for until the time is up. */
  #unreadable(error: unknown, value: unknown): void {
    const { type, seq } = fieldsOf(value);
    this.#hooks.onOddity?.(errorMessage(error));
    if (type !== undefined && type !== "action" && type !== "episode_ready") return;
    const request = typeof seq === "number" ? this.#requests.get(seq) : this.#requests.only;
    if (!request) return;
    const what = `the policy's reply to ${request.type} cannot be read: ${errorMessage(error)}`;
    this.#requests.reject(request, new ProtocolError("bad_reply", what, { where: this.label }));
  }

  #closed(code: number, reason: string): void {
    if (this.#failure || this.#dropped) return;
    this.#pulse.detach();
    const told = `the connection broke off (${code}${reason ? `: ${reason}` : ""})`;
    const hopeless = this.resumeToken === undefined || this.#times.grace <= 0;
    if (hopeless || FINAL_CODES.includes(code)) {
      const tooBig = this.#link.hasFault ? SENDS_TOO_BIG : TAKES_LESS;
      this.#fail(this.#lost(told, code === 1009 ? tooBig : undefined));
      return;
    }
    const graceS = this.#times.grace / 1000;
    const timer = setTimeout(
      () => this.#fail(this.#lost(`${told} and did not come back within ${graceS} s`)),
      this.#times.grace,
    );
    this.#dropped = { over: new AbortController(), timer };
    this.#hooks.onDrop?.(this, this.#dropped.over.signal);
  }

  #timedOut(request: Request): void {
    const what = `no answer to ${request.type} within ${request.timeoutMs / 1000} s`;
    const hint =
      "see the policy's own log; policy.cold_start_timeout and policy.action_timeout set the limits";
    this.#giveUp(request, new PeerError("policy_timeout", what, { where: this.label, hint }));
  }

  /**
   * The policy is still at work on it. Alone on its connection it is left to it: what comes next goes over a new
   * one. Where others share the connection it stays, since a late answer is known by its number.
   */
  #giveUp(request: Request, error: PeerError): void {
    this.#requests.reject(request, error);
    if (this.ids.inUse <= 1) this.refuse(error);
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#endDrop();
    this.#pulse.detach();
    this.#requests.rejectAll(error);
    this.#hooks.onChange(this);
  }

  #endDrop(): void {
    clearTimeout(this.#dropped?.timer);
    const over = this.#dropped?.over;
    this.#dropped = undefined;
    over?.abort();
  }

  #patience(type: Question["type"]): number {
    const heard = type === "get_action" ? this.#heard.action : this.#heard.episode_ready;
    return heard ? this.#times.answer : this.#times.coldStart;
  }

  #lost(what: string, hint?: string): PeerError {
    return new PeerError("policy_lost", what, { where: this.label, hint, transient: true });
  }
}

const TAKES_LESS =
  "the policy takes no frames of this size: let it ask for fewer or smaller sensors";
const SENDS_TOO_BIG = "the policy sent a frame of more than 16 MiB";

function fieldsOf(value: unknown): { readonly type?: unknown; readonly seq?: unknown } {
  return typeof value === "object" && value !== null ? value : {};
}

function both(error: unknown): { readonly sent: Promise<void>; readonly answer: Promise<never> } {
  const answer = Promise.reject(error);
  answer.catch(() => {});
  return { sent: Promise.resolve(), answer };
}

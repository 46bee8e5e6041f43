import { errorMessage, ProtocolError, type RobotEvalError } from "../../core/errors.js";
import type { PolicyIdentity } from "../../core/policy-identity.js";
import { encodeFrame } from "../codec/frame.js";
import { recycleFrame } from "../codec/frame-pool.js";
import type { Capabilities, Encoding, Message, MessageOf } from "../messages/base.js";
import type { Link } from "../websocket/link.js";
import { PeerError } from "../websocket/peer-error.js";
import { SessionIds } from "./ids.js";
import { PingMonitor } from "./ping-monitor.js";
import { type Answer, type Question, type Request, Requests } from "./requests.js";
import type { ConnectionHooks, Established, Times } from "./source.js";

/** Close codes after which the peer cannot resume the connection. */
const FINAL_CODES = [1002, 1003, 1007, 1008, 1009, 1010, 1011, 1013];

/**
 * Breaks in a row, without an answer between them, after which the connection is lost. A policy that disconnects at
 * every request and resumes would otherwise hold its episode until the action timeout.
 */
const MOST_BREAKS = 5;

/**
 * The evaluator's end of a connection to one policy: sends requests and matches replies. The underlying link may
 * break and be replaced without the caller noticing.
 */
export class PolicyConnection {
  readonly sessionId: string;
  readonly capabilities: Capabilities;
  /** What the policy says that it is, if it does. */
  readonly policy: PolicyIdentity | undefined;
  readonly resumeToken: string | undefined;
  /** Ids of the sessions in use. */
  readonly ids: SessionIds;
  readonly #requests = new Requests();
  readonly #pings: PingMonitor;
  #link: Link;
  #seq = 0;
  #lastAnswered = -1;
  /** Breaks since the last answer. */
  #breaks = 0;
  #heard = { episode_ready: false, action: false };
  #dropped: { readonly over: AbortController; readonly timer: NodeJS.Timeout } | undefined;
  #failure: Error | undefined;
  #isExpired = false;

  constructor(
    /** Address of the policy, for messages. */
    readonly label: string,
    established: Established,
    private readonly times: Times,
    private readonly hooks: ConnectionHooks,
  ) {
    this.sessionId = established.sessionId;
    this.capabilities = established.capabilities;
    this.policy = established.policy;
    this.resumeToken = established.resumeToken;
    this.ids = new SessionIds(this.sessionId, this.capabilities.sessions ?? 1);
    this.#pings = new PingMonitor(() => this.#requests.size > 0);
    this.#link = established.link;
    this.#attach(established.link);
  }

  /** True until the connection ends for good; its link may be broken for the moment. */
  get isAlive(): boolean {
    return this.#failure === undefined;
  }

  get isUp(): boolean {
    return this.isAlive && this.#dropped === undefined;
  }

  /** True if it ended because the policy did not return within the grace time. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** Resolves when the link of an ended connection is closed. */
  get closed(): Promise<void> {
    return this.#link.close();
  }

  get encoding(): Encoding {
    return this.#link.encoding;
  }

  /** Number of the last answered request; -1 before the first. */
  get lastSeq(): number {
    return this.#lastAnswered;
  }

  /**
   * Sends a request. `sent` resolves when it has been written, so that a caller who awaits it cannot overrun a slow
   * peer. `answer` rejects when the policy fails, times out or disconnects.
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
    const timeoutMs = this.#timeoutMs(type);
    const answer = new Promise<Answer>((resolve, reject) => {
      const request = { seq, sessionId, type, timeoutMs, frame, resolve, reject };
      this.#requests.add(request, (late) => this.#timedOut(late));
    });
    // Mark the rejection as handled: a caller may await `sent` before it awaits `answer`.
    answer.catch(() => {});
    // Ignore write errors: a broken link is detected separately, and the request is sent again after a reconnect.
    const link = this.isUp ? this.#link : undefined;
    const sent = link ? link.sendFrame(frame).catch(() => {}) : Promise.resolve();
    const done = Promise.all([sent, answer]);
    done.then(
      // The frame was written once, over the current link, and answered, so it is not needed again.
      () => link === this.#link && recycleFrame(frame),
      () => {},
    );
    return { sent, answer };
  }

  /** Sends a message that has no reply. It is lost while the link is broken. */
  tell(message: Message): void {
    if (this.isUp) this.#link.tell(message);
  }

  /** Drops the pending requests of a session. */
  abandon(sessionId: string): void {
    for (const request of this.#requests.of(sessionId)) {
      this.#giveUp(request, new PeerError("abandoned", `the evaluator cancelled ${request.type}`));
    }
  }

  /** Replaces the broken link and sends all unanswered requests again. */
  adopt(link: Link): void {
    if (this.#failure) {
      void link.close(1000, "the connection has ended");
      return;
    }
    const old = this.#link;
    this.#endDrop();
    this.#attach(link);
    // The peer may have noticed the break first; the old link still looks open here.
    if (old !== link) old.terminate();
    for (const frame of this.#requests.frames()) link.sendFrame(frame).catch(() => {});
    this.hooks.onChange(this);
  }

  /**
   * Ends the connection normally. Pending requests are rejected.
   *
   * @param metrics the score, if the policy may know it
   */
  close(reason: string, metrics?: Readonly<Record<string, number>>): Promise<void> {
    const error = new PeerError("connection_closed", reason, { where: this.label });
    return this.#end(error, 1000, { reason, ...(metrics && { metrics }) });
  }

  /** Ends the connection for good and sends the reason to the policy. Resolves when the link is closed. */
  end(error: Error, reason = errorMessage(error), code = 1000): Promise<void> {
    return this.#end(error, code, { reason });
  }

  /** Sends the policy an error and ends the connection with a close code of RFC 6455. */
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

  async #end(
    error: Error,
    code: number,
    last: Pick<MessageOf<"disconnect">, "metrics"> & { readonly reason: string },
  ): Promise<void> {
    if (this.#failure) return;
    const link = this.#link;
    this.#fail(error);
    link.listen(undefined);
    link.tell({ type: "disconnect", session_id: this.sessionId, ...last });
    await link.close(code, last.reason);
  }

  #attach(link: Link): void {
    this.#link = link;
    this.#pings.attach(link);
    link.listen({
      onMessage: (message) => this.#receive(message),
      onBadFrame: (error, value) => this.#unreadable(error, value),
      onClose: (code, reason) => {
        if (link === this.#link) this.#closed(code, reason);
      },
    });
  }

  #receive(message: Message): void {
    this.#pings.seen();
    switch (message.type) {
      case "episode_ready":
      case "action": {
        const request = this.#requests.answeredBy(message);
        if (!request) return;
        this.#heard[message.type] = true;
        this.#breaks = 0;
        this.#lastAnswered = Math.max(this.#lastAnswered, request.seq);
        this.#requests.settle(request, message);
        return;
      }
      case "error":
        this.#reportedError(message);
        return;
      case "disconnect": {
        const why = message.reason ? `: ${message.reason}` : "";
        this.#fail(this.#lost(`the policy sent disconnect${why}`));
        void this.#link.close();
        return;
      }
      default:
        this.hooks.onInvalidMessage?.(message.type);
        this.tell({
          type: "error",
          session_id: message.session_id,
          code: "unexpected_message",
          message: `unexpected message \`${message.type}\` from a policy`,
          fatal: false,
        });
    }
  }

  /** Handles an error reported by the policy. A fatal one ends the connection. */
  #reportedError(message: MessageOf<"error">): void {
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

  /** Fails the request at once; otherwise it would wait for its timeout. */
  #unreadable(error: unknown, value: unknown): void {
    const { type, seq } = fieldsOf(value);
    this.hooks.onInvalidMessage?.(errorMessage(error));
    if (type !== undefined && type !== "action" && type !== "episode_ready") return;
    const request = typeof seq === "number" ? this.#requests.get(seq) : this.#requests.only;
    if (!request) return;
    const what = `the policy's reply to ${request.type} cannot be read: ${errorMessage(error)}`;
    this.#requests.reject(request, new ProtocolError("bad_reply", what, { where: this.label }));
  }

  #closed(code: number, reason: string): void {
    if (this.#failure || this.#dropped) return;
    this.#pings.detach();
    const what = `the connection broke (${code}${reason ? `: ${reason}` : ""})`;
    const isFinal = this.resumeToken === undefined || this.times.grace <= 0;
    if (isFinal || FINAL_CODES.includes(code)) {
      const tooBig = this.#link.hasFault ? SENDS_TOO_BIG : TAKES_LESS;
      this.#fail(this.#lost(what, code === 1009 ? tooBig : undefined));
      return;
    }
    if (++this.#breaks > MOST_BREAKS) {
      this.#fail(this.#lost(`${what} ${this.#breaks} times in a row without an answer`));
      return;
    }
    const graceS = this.times.grace / 1000;
    const timer = setTimeout(() => {
      this.#isExpired = true;
      this.#fail(this.#lost(`${what} and was not resumed within ${graceS} s`));
    }, this.times.grace);
    this.#dropped = { over: new AbortController(), timer };
    this.hooks.onDrop?.(this, this.#dropped.over.signal);
  }

  #timedOut(request: Request): void {
    const what = `no answer to ${request.type} within ${request.timeoutMs / 1000} s`;
    const hint =
      "check the policy's log, or raise policy.cold_start_timeout or policy.action_timeout";
    this.#giveUp(request, new PeerError("policy_timeout", what, { where: this.label, hint }));
  }

  /**
   * Rejects a request that the policy is still working on. If no other session shares the connection, it is closed
   * and the next request opens a new one. Otherwise it stays open: a late reply is recognised by its number.
   */
  #giveUp(request: Request, error: PeerError): void {
    this.#requests.reject(request, error);
    if (this.ids.inUse <= 1) this.refuse(error);
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#endDrop();
    this.#pings.detach();
    this.#requests.rejectAll(error);
    this.hooks.onChange(this);
  }

  #endDrop(): void {
    clearTimeout(this.#dropped?.timer);
    const over = this.#dropped?.over;
    this.#dropped = undefined;
    over?.abort();
  }

  #timeoutMs(type: Question["type"]): number {
    const heard = type === "get_action" ? this.#heard.action : this.#heard.episode_ready;
    return heard ? this.times.answer : this.times.coldStart;
  }

  #lost(what: string, hint?: string): PeerError {
    return new PeerError("policy_lost", what, { where: this.label, hint, transient: true });
  }
}

const TAKES_LESS =
  "the policy does not accept frames of this size: request fewer or smaller sensors";
const SENDS_TOO_BIG = "the policy sent a frame of more than 16 MiB";

function fieldsOf(value: unknown): { readonly type?: unknown; readonly seq?: unknown } {
  return typeof value === "object" && value !== null ? value : {};
}

function both(error: unknown): { readonly sent: Promise<void>; readonly answer: Promise<never> } {
  const answer = Promise.reject(error);
  answer.catch(() => {});
  return { sent: Promise.resolve(), answer };
}

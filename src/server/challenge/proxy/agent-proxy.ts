import type { Message, MessageOf } from "../../../api/messages/base.js";
import { PingMonitor } from "../../../api/session/ping-monitor.js";
import type { Link } from "../../../api/websocket/link.js";
import { errorMessage, RobotEvalError } from "../../../core/errors.js";
import type { TeamAgent } from "../gateway/team-agent.js";
import type { Anonymiser } from "./anonymiser.js";

/** A session of a team's connection, reserved for one evaluator until `release`. */
export interface HeldSession {
  readonly id: string;
  release(): void;
}

/** Errors of the evaluator about the policy itself, which are forwarded to the team. */
const FOR_THE_TEAM = new Set(["convention_mismatch", "missing_sensor"]);

/**
 * Forwards messages between one evaluator and the sessions of a team's agent. To the evaluator, this side looks like
 * an ordinary policy. Its messages are anonymised; the answers get the evaluator's names and sequence numbers back.
 */
export class AgentProxy {
  readonly #free: HeldSession[];
  /** The team's session for each session id of the evaluator. */
  readonly #sessions = new Map<string, HeldSession>();
  /** Detects a worker whose machine lost power: it would block the team's sessions for other workers. */
  readonly #pings = new PingMonitor(() => false);
  #over = false;

  constructor(
    private readonly link: Link,
    private readonly agent: TeamAgent,
    private readonly anonymiser: Anonymiser,
    private readonly held: readonly HeldSession[],
    private readonly onEnd: (proxy: AgentProxy) => void,
  ) {
    this.#free = [...held];
    this.#pings.attach(link);
    link.listen({
      onMessage: (message) => this.#receive(message),
      onClose: () => this.#end(),
    });
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Called when the agent has disconnected for good, or the submission is over. */
  close(reason: string): void {
    if (this.#over) return;
    this.link.tell({ type: "disconnect", session_id: "", reason });
    void this.link.close(1000, reason);
    this.#end();
  }

  #receive(message: Message): void {
    this.#pings.seen();
    switch (message.type) {
      case "reset_episode":
        void this.#forward(message, (asked) => this.anonymiser.reset(asked));
        return;
      case "get_action":
        void this.#forward(message, (asked) => this.anonymiser.observation(asked));
        return;
      case "episode_end": {
        const session = this.#sessions.get(message.session_id);
        if (session) this.agent.tell(this.anonymiser.end({ ...message, session_id: session.id }));
        return;
      }
      case "error":
        this.#misfit(message);
        return;
      case "disconnect":
        void this.link.close();
        this.#end();
        return;
      default:
    }
  }

  async #forward<Q extends MessageOf<"reset_episode"> | MessageOf<"get_action">>(
    message: Q,
    anonymised: (message: Q) => Q,
  ): Promise<void> {
    const { session_id, seq } = message;
    const numbered = seq === undefined ? {} : { seq };
    const session = this.#session(session_id);
    if (!session) {
      this.#fail(message, "unknown_session", "the evaluator uses more sessions than were agreed");
      return;
    }
    try {
      const { seq: _, ...answer } = await this.agent.ask(
        anonymised({ ...message, session_id: session.id }),
      );
      const real = answer.type === "action" ? this.anonymiser.action(answer) : answer;
      this.#tell({ ...real, session_id, ...numbered });
    } catch (error) {
      const code = error instanceof RobotEvalError ? error.code : "agent_error";
      // An unreadable answer is an invalid action, not a connection fault: the evaluator gets an action without content.
      if (code === "bad_reply") this.#tell({ type: "action", session_id, ...numbered });
      else this.#fail(message, code, errorMessage(error));
    }
  }

  /** Assigns a team session to an evaluator's session at its first message. */
  #session(id: string): HeldSession | undefined {
    const known = this.#sessions.get(id) ?? this.#free.shift();
    if (known) this.#sessions.set(id, known);
    return known;
  }

  #misfit({ code, message }: MessageOf<"error">): void {
    if (!FOR_THE_TEAM.has(code)) return;
    this.agent.isMisfit = true;
    // Cuts off the relay's address, with which the evaluator's text begins.
    const text = message.slice(message.indexOf("the policy"));
    this.agent.tell({ type: "error", session_id: "", code, message: text, fatal: false });
  }

  #fail({ session_id, seq }: Message & { seq?: number | undefined }, code: string, why: string) {
    const about = seq === undefined ? {} : { re_seq: seq };
    this.#tell({ type: "error", session_id, code, message: why, fatal: false, ...about });
  }

  #tell(message: Message): void {
    if (!this.#over) this.link.tell(message);
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#pings.detach();
    for (const session of this.held) session.release();
    this.onEnd(this);
  }
}

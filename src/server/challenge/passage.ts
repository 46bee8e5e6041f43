import type { Message, MessageOf } from "../../api/messages/base.js";
import type { Link } from "../../api/websocket/link.js";
import { errorMessage, RobotEvalError } from "../../core/errors.js";
import type { TeamAgent } from "./team-agent.js";
import type { Veil } from "./veil.js";

/** Sessions of a team's connection that one evaluator has for as long as it is here. */
export interface HeldSession {
  readonly id: string;
  release(): void;
}

/** What the evaluator says of a policy that does not fit the benchmark: its team should read it. */
const FOR_THE_TEAM = new Set(["convention_mismatch", "missing_sensor"]);

/**
 * Between one evaluator and the sessions of a team's agent. The evaluator believes to speak with a policy; what it
 * says goes through the veil, what the policy says comes back under the evaluator's names and numbers.
 */
export class Passage {
  readonly #link: Link;
  readonly #agent: TeamAgent;
  readonly #veil: Veil;
  readonly #free: HeldSession[];
  readonly #held: readonly HeldSession[];
  /** The team's session by the evaluator's. */
  readonly #sessions = new Map<string, HeldSession>();
  readonly #onEnd: (passage: Passage) => void;
  #over = false;

  constructor(
    link: Link,
    agent: TeamAgent,
    veil: Veil,
    held: readonly HeldSession[],
    onEnd: (passage: Passage) => void,
  ) {
    this.#link = link;
    this.#agent = agent;
    this.#veil = veil;
    this.#held = held;
    this.#free = [...held];
    this.#onEnd = onEnd;
    link.listen({
      onMessage: (message) => this.#receive(message),
      onClose: () => this.#end(),
    });
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** The agent is gone for good, or the submission is over. */
  close(reason: string): void {
    if (this.#over) return;
    this.#link.tell({ type: "disconnect", session_id: "", reason });
    void this.#link.close(1000, reason);
    this.#end();
  }

  #receive(message: Message): void {
    switch (message.type) {
      case "reset_episode":
        void this.#pass(message, (asked) => this.#veil.reset(asked));
        return;
      case "get_action":
        void this.#pass(message, (asked) => this.#veil.observation(asked));
        return;
      case "episode_end": {
        const session = this.#sessions.get(message.session_id);
        if (session) this.#agent.tell(this.#veil.end({ ...message, session_id: session.id }));
        return;
      }
      case "error":
        this.#misfit(message);
        return;
      case "disconnect":
        void this.#link.close();
        this.#end();
        return;
      default:
    }
  }

  async #pass<Q extends MessageOf<"reset_episode"> | MessageOf<"get_action">>(
    message: Q,
    veiled: (message: Q) => Q,
  ): Promise<void> {
    const { session_id, seq } = message;
    const numbered = seq === undefined ? {} : { seq };
    const session = this.#session(session_id);
    if (!session) {
      this.#fail(message, "unknown_session", "there are no more sessions than were agreed");
      return;
    }
    try {
      const { seq: _, ...answer } = await this.#agent.ask(
        veiled({ ...message, session_id: session.id }),
      );
      const inside = answer.type === "action" ? this.#veil.action(answer) : answer;
      this.#tell({ ...inside, session_id, ...numbered });
    } catch (error) {
      const code = error instanceof RobotEvalError ? error.code : "agent_error";
      // An answer that cannot be read is a wrong action, not a fault of the connection: it is passed on as one.
      if (code === "bad_reply") this.#tell({ type: "action", session_id, ...numbered });
      else this.#fail(message, code, errorMessage(error));
    }
  }

  /** Each of the evaluator's sessions has one of the team's from its first message on. */
  #session(id: string): HeldSession | undefined {
    const known = this.#sessions.get(id) ?? this.#free.shift();
    if (known) this.#sessions.set(id, known);
    return known;
  }

  #misfit({ code, message }: MessageOf<"error">): void {
    if (!FOR_THE_TEAM.has(code)) return;
    // The text begins with the evaluator's address of us.
    const text = message.slice(message.indexOf("the policy"));
    this.#agent.tell({ type: "error", session_id: "", code, message: text, fatal: false });
  }

  #fail({ session_id, seq }: Message & { seq?: number | undefined }, code: string, why: string) {
    const about = seq === undefined ? {} : { re_seq: seq };
    this.#tell({ type: "error", session_id, code, message: why, fatal: false, ...about });
  }

  #tell(message: Message): void {
    if (!this.#over) this.#link.tell(message);
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const session of this.#held) session.release();
    this.#onEnd(this);
  }
}

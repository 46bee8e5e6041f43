import { randomUUID } from "node:crypto";
import { ProtocolError, RobotEvalError } from "../../core/errors.js";
import { type Encoding, type Message, type MessageOf, PROTOCOL_VERSION } from "../messages/base.js";
import { agree, checkVersion } from "../messages/negotiate.js";
import type { Link } from "../websocket/link.js";
import { sameSecret } from "../websocket/secrets.js";
import type { Cast } from "./cast.js";
import { sayError } from "./session.js";
import { Visit } from "./visit.js";

export interface HostOptions {
  readonly token: string | undefined;
  readonly encodings: readonly Encoding[];
  /** Seconds that a visit without a connection is kept. */
  readonly grace: number;
}

/** How long a connection may stay silent before its `connect`, in milliseconds. */
const CONNECT_WITHIN = 30_000;

/** Codes of closing, by what is wrong; others are 1008. */
const CLOSE_CODES: Readonly<Record<string, number>> = { version_mismatch: 1002, busy: 1013 };

interface Stay {
  readonly visit: Visit;
  readonly resumeToken: string;
  leaving?: NodeJS.Timeout | undefined;
}

/** Receives evaluators that dial in: who they are, whether there is room, whether they have been here before. */
export class Host {
  readonly #cast: Cast;
  readonly #options: HostOptions;
  readonly #stays = new Map<string, Stay>();

  constructor(cast: Cast, options: HostOptions) {
    this.#cast = cast;
    this.#options = options;
  }

  welcome(link: Link): void {
    const silent = setTimeout(() => link.close(1008, "no connect message came"), CONNECT_WITHIN);
    silent.unref();
    link.listen({
      onMessage: (message) => {
        if (message.type !== "connect") {
          link.tell(sayError("", "not_connected", `${message.type} before connect`));
          return;
        }
        clearTimeout(silent);
        this.#receive(link, message);
      },
      onClose: () => clearTimeout(silent),
    });
  }

  close(): void {
    for (const stay of this.#stays.values()) {
      stay.visit.takeLeave("the policy server stops");
      this.#end(stay);
    }
  }

  #receive(link: Link, hello: MessageOf<"connect">): void {
    try {
      this.#check(hello);
      const known = this.#returning(hello);
      const stay = known ?? this.#move(hello);
      this.#connected(link, stay, known !== undefined);
    } catch (error) {
      if (!(error instanceof RobotEvalError)) throw error;
      link.tell({ ...sayError("", error.code, error.describe()), fatal: true });
      link.close(CLOSE_CODES[error.code] ?? 1008, error.message);
    }
  }

  #check({ protocol_version, token, role }: MessageOf<"connect">): void {
    checkVersion(protocol_version);
    if (this.#options.token !== undefined && !sameSecret(token ?? "", this.#options.token)) {
      throw new ProtocolError("unauthorized", "the token is missing or wrong", {
        hint: "set the evaluator's ROBOT_EVAL_POLICY_TOKEN to the policy's token",
      });
    }
    if (role !== "evaluator") {
      throw new ProtocolError("wrong_role", "this is a policy, and so is who dialled", {
        hint: "policies dial evaluators, evaluators dial policies",
      });
    }
  }

  #returning({ resume }: MessageOf<"connect">): Stay | undefined {
    const stay = resume && this.#stays.get(resume.session_id);
    return stay && sameSecret(resume.resume_token ?? "", stay.resumeToken) ? stay : undefined;
  }

  #move({ capabilities = {} }: MessageOf<"connect">): Stay {
    const wanted = capabilities.sessions ?? 1;
    const free = this.#room(wanted);
    if (free === 0) {
      throw new ProtocolError("busy", `all ${this.#cast.capacity} sessions are taken`, {
        hint: "let the other evaluation end; a class or an object with actBatch serves many",
      });
    }
    const policy = this.#cast.declaration.capabilities;
    const own = { ...policy, encodings: [...this.#options.encodings], sessions: free };
    const visit = new Visit(randomUUID(), agree(capabilities, own, policy), this.#cast);
    const stay = { visit, resumeToken: randomUUID() };
    this.#stays.set(visit.id, stay);
    return stay;
  }

  /** Who is here goes before who might come back: an evaluator that was stopped does not say goodbye. */
  #room(wanted: number): number {
    let free = this.#cast.capacity;
    for (const { visit } of this.#stays.values()) free -= visit.size;
    for (const stay of this.#stays.values()) {
      if (free >= Math.min(wanted, this.#cast.capacity)) break;
      if (stay.visit.isPresent) continue;
      this.#end(stay);
      free += stay.visit.size;
    }
    return free;
  }

  #connected(link: Link, stay: Stay, resumed: boolean): void {
    const { visit, resumeToken } = stay;
    clearTimeout(stay.leaving);
    link.tell({
      type: "connected",
      session_id: visit.id,
      protocol_version: PROTOCOL_VERSION,
      capabilities: visit.capabilities,
      server: { name: "robot-eval policy", policy: this.#cast.declaration.name },
      resume_token: resumeToken,
      ...(resumed ? { resumed } : {}),
    });
    visit.attach(link);
    link.listen({
      onMessage: (message) => this.#hear(link, stay, message),
      onClose: () => {
        if (visit.detach(link)) this.#await(stay);
      },
    });
  }

  #hear(link: Link, stay: Stay, message: Message): void {
    if (message.type !== "disconnect") {
      stay.visit.receive(message);
      return;
    }
    this.#end(stay);
    link.close();
  }

  #await(stay: Stay): void {
    stay.leaving = setTimeout(() => this.#end(stay), this.#options.grace * 1000);
    stay.leaving.unref();
  }

  #end(stay: Stay): void {
    clearTimeout(stay.leaving);
    this.#stays.delete(stay.visit.id);
    stay.visit.end();
  }
}

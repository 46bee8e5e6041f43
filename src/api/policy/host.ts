import { randomUUID } from "node:crypto";
import { ProtocolError, RobotEvalError } from "../../core/errors.js";
import type { PolicyIdentity } from "../../core/policy-identity.js";
import { type Encoding, type Message, type MessageOf, PROTOCOL_VERSION } from "../messages/base.js";
import { agree, checkVersion } from "../messages/negotiate.js";
import type { Link } from "../websocket/link.js";
import { sameSecret } from "../websocket/secrets.js";
import { EvaluatorSessions } from "./evaluator-sessions.js";
import type { PolicyPool } from "./policy-pool.js";
import { errorReply } from "./session.js";

export interface HostOptions {
  readonly token: string | undefined;
  readonly policy: PolicyIdentity | undefined;
  readonly encodings: readonly Encoding[];
  /** Seconds that sessions without a connection are kept. */
  readonly grace: number;
}

/** Milliseconds in which a new connection must send `connect`. */
const CONNECT_WITHIN = 30_000;

/** Close code by error code; the default is 1008. */
const CLOSE_CODES: Readonly<Record<string, number>> = { version_mismatch: 1002, busy: 1013 };

interface Client {
  readonly sessions: EvaluatorSessions;
  readonly resumeToken: string;
  expiry?: NodeJS.Timeout | undefined;
}

/** Accepts evaluators that dial in: checks access and free sessions, and resumes broken connections. */
export class Host {
  readonly #clients = new Map<string, Client>();

  constructor(
    private readonly pool: PolicyPool,
    private readonly options: HostOptions,
  ) {}

  accept(link: Link): void {
    const timeout = setTimeout(
      () => link.close(1008, "no connect message received"),
      CONNECT_WITHIN,
    );
    timeout.unref();
    link.listen({
      onMessage: (message) => {
        if (message.type !== "connect") {
          link.tell(errorReply("", "not_connected", `${message.type} before connect`));
          return;
        }
        clearTimeout(timeout);
        this.#receive(link, message);
      },
      onClose: () => clearTimeout(timeout),
    });
  }

  close(): void {
    for (const client of this.#clients.values()) {
      client.sessions.sendDisconnect("the policy server is stopping");
      this.#end(client);
    }
  }

  #receive(link: Link, hello: MessageOf<"connect">): void {
    try {
      this.#check(hello);
      const known = this.#find(hello);
      const client = known ?? this.#register(hello);
      this.#connected(link, client, known !== undefined);
    } catch (error) {
      if (!(error instanceof RobotEvalError)) throw error;
      link.tell({ ...errorReply("", error.code, error.describe()), fatal: true });
      link.close(CLOSE_CODES[error.code] ?? 1008, error.message);
    }
  }

  #check({ protocol_version, token, role }: MessageOf<"connect">): void {
    checkVersion(protocol_version);
    if (this.options.token !== undefined && !sameSecret(token ?? "", this.options.token)) {
      throw new ProtocolError("unauthorized", "the token is missing or wrong", {
        hint: "set the evaluator's ROBOT_EVAL_POLICY_TOKEN to the policy's token",
      });
    }
    if (role !== "evaluator") {
      throw new ProtocolError(
        "wrong_role",
        "a policy connected to this policy instead of an evaluator",
        {
          hint: "connect the policy to an evaluator's address",
        },
      );
    }
  }

  #find({ resume }: MessageOf<"connect">): Client | undefined {
    const client = resume && this.#clients.get(resume.session_id);
    return client && sameSecret(resume.resume_token ?? "", client.resumeToken) ? client : undefined;
  }

  #register({ capabilities = {} }: MessageOf<"connect">): Client {
    const wanted = capabilities.sessions ?? 1;
    const free = this.#freeSessions(wanted);
    if (free === 0) {
      throw new ProtocolError("busy", `all ${this.pool.capacity} sessions are in use`, {
        hint: "wait for the other evaluation to end; a class or an object with actBatch serves several sessions",
      });
    }
    const policy = this.pool.declaration.capabilities;
    const own = { ...policy, encodings: [...this.options.encodings], sessions: free };
    const sessions = new EvaluatorSessions(
      randomUUID(),
      agree(capabilities, own, policy),
      this.pool,
    );
    const client = { sessions, resumeToken: randomUUID() };
    this.#clients.set(sessions.id, client);
    return client;
  }

  /**
   * Counts free sessions. If there are too few, ends disconnected clients first: a killed evaluator sends no
   * disconnect.
   */
  #freeSessions(wanted: number): number {
    let free = this.pool.capacity;
    for (const { sessions } of this.#clients.values()) free -= sessions.size;
    for (const client of this.#clients.values()) {
      if (free >= Math.min(wanted, this.pool.capacity)) break;
      if (client.sessions.isConnected) continue;
      this.#end(client);
      free += client.sessions.size;
    }
    return free;
  }

  #connected(link: Link, client: Client, resumed: boolean): void {
    const { sessions, resumeToken } = client;
    clearTimeout(client.expiry);
    link.tell({
      type: "connected",
      session_id: sessions.id,
      protocol_version: PROTOCOL_VERSION,
      capabilities: sessions.capabilities,
      ...(this.options.policy ? { policy: { ...this.options.policy } } : {}),
      server: { name: "robot-eval policy", policy: this.pool.declaration.name },
      resume_token: resumeToken,
      ...(resumed ? { resumed } : {}),
    });
    sessions.attach(link);
    link.listen({
      onMessage: (message) => this.#handle(link, client, message),
      onClose: () => {
        if (sessions.detach(link)) this.#expireLater(client);
      },
    });
  }

  #handle(link: Link, client: Client, message: Message): void {
    if (message.type !== "disconnect") {
      client.sessions.receive(message);
      return;
    }
    this.#end(client);
    link.close();
  }

  #expireLater(client: Client): void {
    client.expiry = setTimeout(() => this.#end(client), this.options.grace * 1000);
    client.expiry.unref();
  }

  #end(client: Client): void {
    clearTimeout(client.expiry);
    this.#clients.delete(client.sessions.id);
    client.sessions.end();
  }
}

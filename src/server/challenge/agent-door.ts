import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer as WsServer } from "ws";
import type { MessageOf } from "../../api/messages/base.js";
import { PolicyConnection } from "../../api/session/connection.js";
import { Link } from "../../api/websocket/link.js";
import { PeerError } from "../../api/websocket/peer-error.js";
import { type Accepted, type Admission, Reception, refuse } from "../../api/websocket/reception.js";
import { RobotEvalError } from "../../core/errors.js";
import type { Auditor } from "./auditor.js";
import type { ChallengeLimits } from "./config.js";
import { DoorLimits } from "./door-limits.js";
import { type Caller, DoorLog } from "./door-log.js";
import { ChallengeError } from "./errors.js";
import { FloodMeter } from "./flood-meter.js";
import type { ChallengeStore, Submission, Team } from "./store.js";
import { type Arrival, TeamAgent } from "./team-agent.js";
import { tokenId } from "./tokens.js";

const HANDSHAKE_MS = 10_000;
/** Close code of RFC 6455: a policy of ours stands against it. */
const POLICY_VIOLATION = 1008;

export interface AgentDoorOptions {
  readonly limits: ChallengeLimits;
  readonly store: ChallengeStore;
  readonly auditor: Auditor;
  /** Who calls, proxies seen through. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The submission that an agent is for, from now on no other's; refuses by throwing. */
  readonly claim: (team: Team, wish: Wish) => Promise<Claim>;
  /** It was claimed, and then its agent did not come in. */
  readonly release: (submission: Submission) => void;
  readonly onAgent: (agent: TeamAgent) => void;
  /** An agent is gone for good. */
  readonly onGone: (agent: TeamAgent) => void;
}

/** What an agent dialled: `/agent?phase=<name>&name=<text>`, or `/agent?submission=<id>`. */
export interface Wish {
  readonly phase: string | undefined;
  readonly submission: string | undefined;
  readonly name: string;
  readonly remote: string;
}

export interface Claim {
  readonly submission: Submission;
  /** Episodes that may run side by side. */
  readonly sessions: number;
}

/** Where teams' agents dial in. Whatever one of them does, it costs no more than its own connection. */
export class AgentDoor {
  readonly #options: AgentDoorOptions;
  readonly #sockets: WsServer;
  readonly #reception = new Reception({
    expects: "agent",
    server: { name: "robot-eval challenge" },
    resumable: true,
    handshakeMs: HANDSHAKE_MS,
  });
  readonly #log: DoorLog;
  readonly #limits: DoorLimits;
  /** By session. */
  readonly #agents = new Map<string, TeamAgent>();

  constructor(options: AgentDoorOptions) {
    this.#options = options;
    this.#log = new DoorLog(options.auditor);
    this.#limits = new DoorLimits(options.limits);
    this.#sockets = new WsServer({
      noServer: true,
      maxPayload: options.limits.frame_bytes,
      perMessageDeflate: false,
    });
  }

  get agents(): Iterable<TeamAgent> {
    return this.#agents.values();
  }

  /** A request to `/agent` that asks for a WebSocket. */
  upgrade(request: IncomingMessage, wire: Duplex, head: Buffer): void {
    const { addressOf, limits } = this.#options;
    const remote = addressOf(request);
    wire.on("error", () => {});
    if (!this.#limits.mayKnock(remote)) {
      answer(wire, "429 Too Many Requests");
      return;
    }
    if (this.#sockets.clients.size >= limits.connections) {
      this.#limits.refused(remote);
      this.#log.full(remote);
      answer(wire, "503 Service Unavailable");
      return;
    }
    this.#sockets.handleUpgrade(request, wire, head, (socket) => {
      void this.#welcome(this.#caller(socket, request, remote));
    });
  }

  /** An agent whose submission is over. */
  async dismiss(agent: TeamAgent, reason: string): Promise<void> {
    await agent.connection.close(reason);
  }

  /** An agent whose team has lost the right to be here. */
  turnOut(agent: TeamAgent, error: PeerError): void {
    agent.turnedOut = error;
    agent.connection.refuse(error, POLICY_VIOLATION);
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#agents.values()].map((agent) => agent.connection.close("the server stops")),
    );
    for (const socket of this.#sockets.clients) socket.terminate();
    await new Promise<void>((resolve) => this.#sockets.close(() => resolve()));
  }

  #caller(socket: WebSocket, request: IncomingMessage, remote: string): Caller {
    const caller: Caller = {
      socket,
      remote,
      url: new URL(request.url ?? "/", "ws://localhost"),
      bearer: /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "")?.[1],
      meter: new FloodMeter(this.#options.limits.messages_per_second),
      oddities: 0,
    };
    const count = () => {
      if (!caller.meter.came()) this.#flooded(caller);
    };
    socket.on("message", count);
    socket.on("ping", count);
    socket.on("pong", count);
    socket.on("error", (error) => {
      if (!/WS_ERR_UNSUPPORTED_(MESSAGE|DATA_PAYLOAD)_LENGTH/.test(codeOf(error))) return;
      this.#log.limitHit(caller, "frame_bytes");
    });
    return caller;
  }

  async #welcome(caller: Caller): Promise<void> {
    const link = new Link(caller.socket);
    let by: Arrival | undefined;
    let claimed: Submission | undefined;
    let leave: (() => void) | undefined;
    const known = this.#limits.stranger(caller.remote);
    caller.socket.once("close", known);
    try {
      const accepted = await this.#reception.welcome(link, caller.remote, async (hello, taken) => {
        by = await this.#authenticate(caller, hello);
        const { team } = by;
        if (hello.resume) return this.#resuming(team, taken);
        leave = this.#limits.arrive(team, this.#agentsOf(team));
        const { submission, sessions } = await this.#options.claim(team, wishOf(caller));
        claimed = submission;
        return {
          capabilities: { encodings: ["msgpack", "json"], sessions },
          about: { submission: submission.id },
        };
      });
      known();
      if (by && claimed) this.#enter(caller, by, claimed, accepted);
      else if (by) this.#return(caller, by, accepted);
    } catch (error) {
      if (claimed) this.#options.release(claimed);
      this.#log.turnedAway(caller, error);
      if (this.#limits.refused(caller.remote)) this.#log.limitHit(caller, "refusals_per_minute");
      refuse(link, presentable(error), POLICY_VIOLATION);
    } finally {
      leave?.();
    }
  }

  async #authenticate(caller: Caller, hello: MessageOf<"connect">): Promise<Arrival> {
    const token = caller.bearer ?? hello.token ?? "";
    const team = await this.#options.store.authenticate(token);
    if (team) {
      caller.team = team;
      this.#limits.checkDials(team);
      const { remote, meter } = caller;
      return { team, remote, meter, tokenId: tokenId(token) ?? "" };
    }
    throw new PeerError("unauthorized", "the team's token is missing or wrong", {
      hint: 'connect(MyPolicy(), url, token="rec_...")',
    });
  }

  /** Only the team whose connection it was may take it up, whatever else it knows. */
  #resuming(team: Team, taken: string | undefined): Admission {
    const known = taken === undefined ? undefined : this.#agents.get(taken);
    if (known?.team.id === team.id && known.connection.isAlive) {
      return { capabilities: known.connection.capabilities };
    }
    throw new ChallengeError(
      "session_over",
      "there is no connection of yours under this session id that could be taken up",
      { hint: "the team's page says what became of the submission" },
    );
  }

  #agentsOf(team: Team): number {
    return [...this.#agents.values()].filter((agent) => agent.team.id === team.id).length;
  }

  #enter(caller: Caller, by: Arrival, submission: Submission, accepted: Accepted): void {
    const { limits } = this.#options;
    const { link, sessionId, capabilities, resumeToken } = accepted;
    const connection = new PolicyConnection(
      `the agent of ${by.team.name}`,
      { link, sessionId, capabilities, resumeToken },
      {
        coldStart: limits.cold_start_timeout * 1000,
        answer: limits.action_timeout * 1000,
        grace: limits.connect_grace * 1000,
      },
      {
        // Called from within the constructor where the link has closed already.
        onChange: () => caller.agent && this.#changed(caller.agent),
        onOddity: (what) => this.#log.odd(caller, what),
      },
    );
    const agent = new TeamAgent(by, submission.id, connection);
    caller.agent = agent;
    this.#agents.set(sessionId, agent);
    this.#log.moved(agent, "connected", { capabilities });
    this.#options.onAgent(agent);
    // Its link may have closed while it was let in.
    if (!connection.isAlive) this.#changed(agent);
  }

  #return(caller: Caller, by: Arrival, { sessionId, link }: Accepted): void {
    const agent = this.#agents.get(sessionId);
    if (!agent) throw new PeerError("session_over", "the connection is over");
    caller.agent = agent;
    // What was asked before the break is asked again.
    for (let i = 0; i < agent.connection.ids.capacity; i++) caller.meter.asked();
    agent.cameBack(by);
    agent.connection.adopt(link);
    this.#log.moved(agent, "connected", { resumed: true });
  }

  #changed(agent: TeamAgent): void {
    const { connection } = agent;
    if (connection.isAlive || !this.#agents.delete(connection.sessionId)) return;
    this.#reception.forget(connection.sessionId);
    const code = agent.turnedOut?.code;
    this.#log.moved(agent, "disconnected", code === undefined ? {} : { code });
    this.#options.onGone(agent);
  }

  #flooded(caller: Caller): void {
    const { socket, agent } = caller;
    // Nothing more is read of it.
    socket.pause();
    this.#log.limitHit(caller, "messages_per_second");
    const error = new PeerError("too_many_messages", "messages came that answer nothing");
    if (agent) agent.connection.refuse(error, POLICY_VIOLATION);
    else socket.close(POLICY_VIOLATION, error.code);
    socket.removeAllListeners("message");
    setTimeout(() => socket.terminate(), 500).unref();
  }
}

function wishOf({ url, remote }: Caller): Wish {
  const { searchParams: asked } = url;
  return {
    phase: asked.get("phase") ?? undefined,
    submission: asked.get("submission") ?? undefined,
    name: (asked.get("name") ?? "").slice(0, 200),
    remote,
  };
}

/** Only what was written for teams is said to them. */
function presentable(error: unknown): unknown {
  const isOurs = error instanceof ChallengeError || error instanceof PeerError;
  if (isOurs || (error instanceof RobotEvalError && error.name === "ProtocolError")) return error;
  return new PeerError("internal_error", "the server cannot take the agent now");
}

function answer(wire: Duplex, status: string): void {
  wire.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

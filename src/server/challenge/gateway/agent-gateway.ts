import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer as WsServer } from "ws";
import type { MessageOf } from "../../../api/messages/base.js";
import { PolicyConnection } from "../../../api/session/connection.js";
import {
  type Accepted,
  type Admission,
  HandshakeAcceptor,
  refuse,
} from "../../../api/websocket/accept.js";
import { Link } from "../../../api/websocket/link.js";
import { PeerError } from "../../../api/websocket/peer-error.js";
import { isUnreachable } from "../../../cluster/database/when-reachable.js";
import { RobotEvalError } from "../../../core/errors.js";
import { bearerIn } from "../../auth.js";
import { closeSockets, rejectUpgrade } from "../../listen.js";
import type { Auditor } from "../auditor.js";
import type { ChallengeLimits } from "../config.js";
import { ChallengeError, unavailable } from "../errors.js";
import type { ChallengeStore } from "../store/postgres-store.js";
import type { Submission, Team } from "../store/store.js";
import { type Caller, ConnectionLog } from "./connection-log.js";
import { FloodMeter } from "./flood-meter.js";
import { GatewayLimits } from "./gateway-limits.js";
import { type AuthenticatedClient, TeamAgent } from "./team-agent.js";
import { tokenId } from "./tokens.js";

const HANDSHAKE_MS = 10_000;
/** Close code of RFC 6455. */
const POLICY_VIOLATION = 1008;

export interface AgentGatewayOptions {
  readonly limits: ChallengeLimits;
  readonly store: ChallengeStore;
  readonly auditor: Auditor;
  /** The client's address, behind trusted proxies. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Reserves the submission for this agent. @throws if the agent is rejected */
  readonly claim: (team: Team, request: AgentRequest) => Promise<Claim>;
  /** Called if the handshake fails after the submission was claimed. */
  readonly release: (submission: Submission) => void;
  readonly onAgent: (agent: TeamAgent) => void;
  /** Called when an agent has disconnected for good. */
  readonly onGone: (agent: TeamAgent) => void;
}

/** Parameters of an agent's URL: `/agent?phase=<name>&name=<text>`, or `/agent?submission=<id>`. */
export interface AgentRequest {
  readonly phase: string | undefined;
  readonly submission: string | undefined;
  readonly name: string;
  readonly remote: string;
}

export interface Claim {
  readonly submission: Submission;
  /** Episodes that may run at the same time. */
  readonly sessions: number;
}

/** Accepts the WebSocket connections of teams' agents. A misbehaving agent only loses its own connection. */
export class AgentGateway {
  readonly #sockets: WsServer;
  readonly #acceptor = new HandshakeAcceptor({
    expects: "agent",
    server: { name: "robot-eval challenge" },
    resumable: true,
    handshakeMs: HANDSHAKE_MS,
  });
  readonly #log: ConnectionLog;
  readonly #limits: GatewayLimits;
  /** Connected agents, keyed by session id. */
  readonly #agents = new Map<string, TeamAgent>();

  constructor(private readonly options: AgentGatewayOptions) {
    this.#log = new ConnectionLog(options.auditor);
    this.#limits = new GatewayLimits(options.limits);
    this.#sockets = new WsServer({
      noServer: true,
      maxPayload: options.limits.frame_bytes,
      perMessageDeflate: false,
    });
  }

  get agents(): Iterable<TeamAgent> {
    return this.#agents.values();
  }

  /** Handles the WebSocket upgrade of a request to `/agent`. */
  upgrade(request: IncomingMessage, wire: Duplex, head: Buffer): void {
    const { addressOf, limits } = this.options;
    const remote = addressOf(request);
    wire.on("error", () => {});
    if (!this.#limits.mayConnect(remote)) {
      rejectUpgrade(wire, "429 Too Many Requests");
      return;
    }
    if (this.#sockets.clients.size >= limits.connections) {
      this.#limits.rejected(remote);
      this.#log.busy(remote);
      rejectUpgrade(wire, "503 Service Unavailable");
      return;
    }
    this.#sockets.handleUpgrade(request, wire, head, (socket) => {
      void this.#welcome(this.#caller(socket, request, remote));
    });
  }

  /** Closes the connection of an agent whose submission is over. */
  async dismiss(
    agent: TeamAgent,
    reason: string,
    metrics?: Readonly<Record<string, number>>,
  ): Promise<void> {
    await agent.connection.close(reason, metrics);
  }

  /** Closes the connection of an agent whose token was revoked. */
  expel(agent: TeamAgent, error: PeerError): void {
    agent.expelledBy = error;
    agent.connection.refuse(error, POLICY_VIOLATION);
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#agents.values()].map((agent) => agent.connection.close("the server is stopping")),
    );
    await closeSockets(this.#sockets);
  }

  #caller(socket: WebSocket, request: IncomingMessage, remote: string): Caller {
    const caller: Caller = {
      socket,
      remote,
      url: new URL(request.url ?? "/", "ws://localhost"),
      bearer: bearerIn(request.headers.authorization),
      meter: new FloodMeter(this.options.limits.messages_per_second),
      badMessages: 0,
    };
    const count = () => {
      if (!caller.meter.received()) this.#flooded(caller);
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
    let by: AuthenticatedClient | undefined;
    let claimed: Submission | undefined;
    let leave: (() => void) | undefined;
    const authenticated = this.#limits.unauthenticated(caller.remote);
    caller.socket.once("close", authenticated);
    try {
      const accepted = await this.#acceptor.accept(link, caller.remote, async (hello, taken) => {
        by = await this.#authenticate(caller, hello);
        const { team } = by;
        if (hello.resume) return this.#resuming(team, taken);
        leave = this.#limits.beginHandshake(team, this.#agentsOf(team));
        const { submission, sessions } = await this.options.claim(team, requestOf(caller));
        claimed = submission;
        return {
          capabilities: { encodings: ["msgpack", "json"], sessions },
          about: { submission: submission.id },
        };
      });
      authenticated();
      if (by && claimed) this.#enter(caller, by, claimed, accepted);
      else if (by) this.#resume(caller, by, accepted);
    } catch (error) {
      if (claimed) this.options.release(claimed);
      this.#log.rejected(caller, error);
      if (this.#limits.rejected(caller.remote)) this.#log.limitHit(caller, "refusals_per_minute");
      refuse(link, presentable(error), POLICY_VIOLATION);
    } finally {
      leave?.();
    }
  }

  async #authenticate(caller: Caller, hello: MessageOf<"connect">): Promise<AuthenticatedClient> {
    const token = caller.bearer ?? hello.token ?? "";
    const team = await this.options.store.authenticate(token);
    if (team) {
      caller.team = team;
      this.#limits.checkAttempts(team);
      const { remote, meter } = caller;
      return { team, remote, meter, tokenId: tokenId(token) ?? "" };
    }
    throw new PeerError("unauthorized", "the team's token is missing or invalid", {
      hint: 'pass the token: connect(MyPolicy(), url, token="rec_...")',
    });
  }

  /** Only the same team may resume a session, even if another one knows its id. */
  #resuming(team: Team, taken: string | undefined): Admission {
    const known = taken === undefined ? undefined : this.#agents.get(taken);
    if (known?.team.id === team.id && known.connection.isAlive) {
      return { capabilities: known.connection.capabilities };
    }
    throw new ChallengeError(
      "session_over",
      "your team has no session with this id that can be resumed",
      { hint: "see the submission's state on the team's page" },
    );
  }

  #agentsOf(team: Team): number {
    return [...this.#agents.values()].filter((agent) => agent.team.id === team.id).length;
  }

  #enter(
    caller: Caller,
    by: AuthenticatedClient,
    submission: Submission,
    accepted: Accepted,
  ): void {
    const { limits } = this.options;
    const { link, sessionId, capabilities, resumeToken, hello } = accepted;
    const { policy } = hello;
    const connection = new PolicyConnection(
      `the agent of ${by.team.name}`,
      { link, sessionId, capabilities, policy, resumeToken },
      {
        coldStart: limits.cold_start_timeout * 1000,
        answer: limits.action_timeout * 1000,
        grace: limits.connect_grace * 1000,
      },
      {
        // Called inside the constructor if the link has already closed.
        onChange: () => caller.agent && this.#changed(caller.agent),
        onInvalidMessage: (what) => this.#log.badMessage(caller, what),
      },
    );
    const agent = new TeamAgent(by, submission.id, connection);
    caller.agent = agent;
    this.#agents.set(sessionId, agent);
    this.#log.connection(agent, "connected", { capabilities, ...(policy ? { policy } : {}) });
    this.options.onAgent(agent);
    // The link may have closed during the handshake.
    if (!connection.isAlive) this.#changed(agent);
  }

  #resume(caller: Caller, by: AuthenticatedClient, { sessionId, link }: Accepted): void {
    const agent = this.#agents.get(sessionId);
    if (!agent) throw new PeerError("session_over", "the session has ended");
    caller.agent = agent;
    // Requests that were pending before the break are sent again.
    for (let i = 0; i < agent.connection.ids.capacity; i++) caller.meter.asked();
    agent.resumed(by);
    agent.connection.adopt(link);
    this.#log.connection(agent, "connected", { resumed: true });
  }

  #changed(agent: TeamAgent): void {
    const { connection } = agent;
    if (connection.isAlive || !this.#agents.delete(connection.sessionId)) return;
    this.#acceptor.forget(connection.sessionId);
    const code = agent.expelledBy?.code;
    this.#log.connection(agent, "disconnected", code === undefined ? {} : { code });
    this.options.onGone(agent);
  }

  #flooded(caller: Caller): void {
    const { socket, agent } = caller;
    // Stop reading.
    socket.pause();
    this.#log.limitHit(caller, "messages_per_second");
    const error = new PeerError(
      "too_many_messages",
      "the agent sends too many messages that answer no request",
    );
    if (agent) agent.connection.refuse(error, POLICY_VIOLATION);
    else socket.close(POLICY_VIOLATION, error.code);
    socket.removeAllListeners("message");
    setTimeout(() => socket.terminate(), 500).unref();
  }
}

function requestOf({ url, remote }: Caller): AgentRequest {
  const { searchParams: asked } = url;
  return {
    phase: asked.get("phase") ?? undefined,
    submission: asked.get("submission") ?? undefined,
    name: (asked.get("name") ?? "").slice(0, 200),
    remote,
  };
}

/** Hides errors that were not written for teams. */
function presentable(error: unknown): unknown {
  if (isUnreachable(error)) return unavailable();
  const isOurs = error instanceof ChallengeError || error instanceof PeerError;
  if (isOurs || (error instanceof RobotEvalError && error.name === "ProtocolError")) return error;
  return new PeerError("internal_error", "the server cannot accept the agent now");
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

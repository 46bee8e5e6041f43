import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer as WsServer } from "ws";
import type { Capabilities, MessageOf } from "../../../api/messages/base.js";
import { HandshakeAcceptor, refuse } from "../../../api/websocket/accept.js";
import { Link } from "../../../api/websocket/link.js";
import { PeerError } from "../../../api/websocket/peer-error.js";
import { sameSecret } from "../../../api/websocket/secrets.js";
import { ConfigError, errorMessage } from "../../../core/errors.js";
import { closeSockets } from "../../listen.js";
import type { ChallengeLimits } from "../config.js";
import type { TeamAgent } from "../gateway/team-agent.js";
import { AgentProxy, type HeldSession } from "./agent-proxy.js";
import type { Anonymiser } from "./anonymiser.js";

/** Enough for observations with several cameras. */
const FRAME_BYTES = 64 * 2 ** 20;
const PATH = /^\/relay\/([0-9a-f-]{36})$/;

export interface RelayOptions {
  readonly host: string;
  readonly port: number;
  /** URL for evaluators on other machines. Default: the address it listens at. */
  readonly url?: string | undefined;
  /** Token that evaluators must send. */
  readonly token: string;
}

interface Offer {
  readonly agent: TeamAgent;
  readonly anonymiser: Anonymiser;
  readonly proxies: Set<AgentProxy>;
}

/**
 * Connects evaluators to teams' agents. Threads of this process and workers of a cluster see each submission as a
 * policy at its own URL; the agent behind it does not see the evaluators.
 */
export class Relay {
  readonly #acceptor = new HandshakeAcceptor({
    expects: "evaluator",
    server: { name: "robot-eval relay" },
  });
  readonly #offers = new Map<string, Offer>();
  readonly #port: number;

  private constructor(
    private readonly server: WsServer,
    private readonly options: RelayOptions,
  ) {
    const address = server.address();
    this.#port = typeof address === "object" && address ? address.port : options.port;
    server.on("connection", (socket, request) => void this.#welcome(socket, request));
    server.on("error", () => {});
  }

  static async listen(options: RelayOptions): Promise<Relay> {
    const { host, port } = options;
    const server = new WsServer({ host, port, maxPayload: FRAME_BYTES, perMessageDeflate: false });
    try {
      await once(server, "listening");
    } catch (cause) {
      throw new ConfigError("cannot_listen", `the relay cannot listen: ${errorMessage(cause)}`, {
        where: `${host}:${port}`,
        hint: "choose another relay.port, or 0 for any free one",
        cause,
      });
    }
    return new Relay(server, options);
  }

  /** The agent SPEC by which evaluators reach a submission. */
  address(submissionId: string): string {
    const { host, url } = this.options;
    const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
    const base = url ?? `ws://${name.includes(":") ? `[${name}]` : name}:${this.#port}`;
    return `${base.replace(/\/$/, "")}/relay/${submissionId}`;
  }

  /** Makes an agent available to evaluators until the returned function is called. */
  offer(agent: TeamAgent, anonymiser: Anonymiser): (reason: string) => void {
    const { submissionId } = agent;
    const proxies = new Set<AgentProxy>();
    this.#offers.set(submissionId, { agent, anonymiser, proxies });
    return (reason) => {
      this.#offers.delete(submissionId);
      for (const proxy of [...proxies]) proxy.close(reason);
    };
  }

  close(): Promise<void> {
    return closeSockets(this.server);
  }

  async #welcome(socket: WebSocket, { url = "", socket: wire }: IncomingMessage): Promise<void> {
    const link = new Link(socket);
    const held: HeldSession[] = [];
    try {
      let offer: Offer | undefined;
      await this.#acceptor.accept(link, wire.remoteAddress ?? "?", (hello) => {
        this.#checkToken(hello);
        offer = this.#offers.get(PATH.exec(url)?.[1] ?? "");
        if (!offer)
          throw new PeerError("no_submission", "no agent is connected for this submission");
        const capabilities = reserve(offer.agent, hello.capabilities?.sessions ?? 1, held);
        return { capabilities, policy: offer.agent.connection.policy };
      });
      if (!offer) throw new PeerError("no_submission", "no agent is connected for this submission");
      const { agent, anonymiser, proxies } = offer;
      const proxy = new AgentProxy(link, agent, anonymiser, held, (ended) => proxies.delete(ended));
      // The link may have closed in the meantime.
      if (!proxy.isOver) proxies.add(proxy);
    } catch (error) {
      for (const session of held) session.release();
      refuse(link, error);
    }
  }

  #checkToken({ token = "" }: MessageOf<"connect">): void {
    if (!sameSecret(token, this.options.token)) {
      throw new PeerError("unauthorized", "the relay's token is invalid");
    }
  }
}

/** Reserves up to `asked` free sessions. The capabilities are those of the team's policy. */
function reserve({ connection }: TeamAgent, asked: number, held: HeldSession[]): Capabilities {
  while (held.length < asked) {
    const session = connection.ids.take();
    if (!session) break;
    held.push(session);
  }
  if (held.length === 0) throw new PeerError("busy", "all of the agent's sessions are in use");
  return { ...connection.capabilities, encodings: [connection.encoding], sessions: held.length };
}

/** Seconds by which the relay's timeouts exceed the agent's, so that the relay detects a slow agent first. */
const MARGIN_S = 15;

/**
 * Overrides of the benchmark's timeouts for the relay; none of them changes a result. Without a reconnect grace, an
 * evaluation whose agent has disconnected ends at once.
 */
export function relaySettings(limits: ChallengeLimits): string[] {
  const extra = limits.connect_grace + MARGIN_S;
  return [
    `policy.connect_timeout=${MARGIN_S}`,
    `policy.action_timeout=${limits.action_timeout + extra}`,
    `policy.cold_start_timeout=${limits.cold_start_timeout + extra}`,
    "policy.reconnect_grace=0",
  ];
}

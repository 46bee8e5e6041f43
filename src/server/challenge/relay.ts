import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer as WsServer } from "ws";
import type { Capabilities, MessageOf } from "../../api/messages/base.js";
import { Link } from "../../api/websocket/link.js";
import { PeerError } from "../../api/websocket/peer-error.js";
import { Reception, refuse } from "../../api/websocket/reception.js";
import { sameSecret } from "../../api/websocket/secrets.js";
import { ConfigError, errorMessage } from "../../core/errors.js";
import { type HeldSession, Passage } from "./passage.js";
import type { TeamAgent } from "./team-agent.js";
import type { Veil } from "./veil.js";

/** Observations with several cameras. */
const FRAME_BYTES = 64 * 2 ** 20;
const PATH = /^\/relay\/([0-9a-f-]{36})$/;

export interface RelayOptions {
  readonly host: string;
  readonly port: number;
  /** How evaluators elsewhere reach it; its own address if absent. */
  readonly url?: string | undefined;
  /** Every evaluator must know it. */
  readonly token: string;
}

interface Offer {
  readonly agent: TeamAgent;
  readonly veil: Veil;
  readonly passages: Set<Passage>;
}

/**
 * The door for evaluators. To them each submission is a policy at an address of its own, whether they are threads
 * of this process or workers of a cluster; behind it is the team's agent, which knows nothing of them.
 */
export class Relay {
  readonly #server: WsServer;
  readonly #options: RelayOptions;
  readonly #reception = new Reception({
    expects: "evaluator",
    server: { name: "robot-eval relay" },
  });
  readonly #offers = new Map<string, Offer>();
  readonly #port: number;

  private constructor(server: WsServer, options: RelayOptions) {
    this.#server = server;
    this.#options = options;
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
        hint: "choose another relay.port, or 0 for any that is free",
        cause,
      });
    }
    return new Relay(server, options);
  }

  /** The agent SPEC of a submission. */
  address(submissionId: string): string {
    const { host, url } = this.#options;
    const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
    const base = url ?? `ws://${name.includes(":") ? `[${name}]` : name}:${this.#port}`;
    return `${base.replace(/\/$/, "")}/relay/${submissionId}`;
  }

  /** From now on evaluators find the agent; what is returned ends that. */
  offer(agent: TeamAgent, veil: Veil): (reason: string) => void {
    const { submissionId } = agent;
    const passages = new Set<Passage>();
    this.#offers.set(submissionId, { agent, veil, passages });
    return (reason) => {
      this.#offers.delete(submissionId);
      for (const passage of [...passages]) passage.close(reason);
    };
  }

  async close(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #welcome(socket: WebSocket, { url = "", socket: wire }: IncomingMessage): Promise<void> {
    const link = new Link(socket);
    const held: HeldSession[] = [];
    try {
      let offer: Offer | undefined;
      await this.#reception.welcome(link, wire.remoteAddress ?? "?", (hello) => {
        this.#checkToken(hello);
        offer = this.#offers.get(PATH.exec(url)?.[1] ?? "");
        if (!offer) throw new PeerError("no_submission", "no agent is here for this submission");
        return { capabilities: hold(offer.agent, hello.capabilities?.sessions ?? 1, held) };
      });
      if (!offer) throw new PeerError("no_submission", "no agent is here for this submission");
      const { agent, veil, passages } = offer;
      const passage = new Passage(link, agent, veil, held, (ended) => passages.delete(ended));
      // Its link may have closed meanwhile.
      if (!passage.isOver) passages.add(passage);
    } catch (error) {
      for (const session of held) session.release();
      refuse(link, error);
    }
  }

  #checkToken({ token = "" }: MessageOf<"connect">): void {
    if (!sameSecret(token, this.#options.token)) {
      throw new PeerError("unauthorized", "the relay's token is wrong");
    }
  }
}

/** As many sessions as are asked for and free; what the team's policy said of itself stands for it. */
function hold({ connection }: TeamAgent, asked: number, held: HeldSession[]): Capabilities {
  while (held.length < asked) {
    const session = connection.ids.take();
    if (!session) break;
    held.push(session);
  }
  if (held.length === 0) throw new PeerError("busy", "all of the agent's sessions are taken");
  return { ...connection.capabilities, encodings: [connection.encoding], sessions: held.length };
}

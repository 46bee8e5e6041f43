import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { resolvePath } from "../../config/paths.js";
import { ConfigError } from "../../core/errors.js";
import { bracketed } from "../auth.js";
import { listen } from "../listen.js";
import { AgentDoor } from "./agent-door.js";
import { Auditor } from "./auditor.js";
import { openChallengeDatabase, storageOf } from "./database.js";
import { challengeApp } from "./http/app.js";
import { TrustedProxies } from "./http/client-address.js";
import { reload } from "./http/reload.js";
import { readTls } from "./http/tls-files.js";
import type { LoadedChallenge } from "./load.js";
import { QueueEvaluations } from "./queue-evaluations.js";
import { Relay } from "./relay.js";
import { ChallengeService } from "./service.js";
import { beSoleServer } from "./sole-server.js";
import { ThreadEvaluations } from "./threads.js";

const AGENT_PATH = "/agent";
/** Requests that do not get on are ended: slow senders must not hold connections. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
/** How often it is looked for such. Node's own half minute would be added to the times above. */
const LOOK_MS = 1000;

export interface ChallengeServerOptions {
  readonly loaded: LoadedChallenge;
  readonly onFault: (error: unknown) => void;
}

export interface ChallengeServer {
  /** `http://host:port/`, or https. */
  readonly url: string;
  /** Where agents dial: `ws://host:port/agent`, or wss. */
  readonly agentUrl: string;
  readonly port: number;
  /** Reads the certificate and the phases' times anew. @throws ConfigError; then nothing has changed */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Serves a challenge: pages and documents over HTTP, agents over WebSockets, both at one port. */
export async function createChallengeServer(
  options: ChallengeServerOptions,
): Promise<ChallengeServer> {
  const { loaded, onFault } = options;
  const { config } = loaded;
  const { host } = config.listen;
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const tls = config.tls && (await readTls(tlsFiles(loaded)));
    const database = await openChallengeDatabase(loaded, "serve");
    undo.push(() => database.stop());
    undo.push(await beSoleServer(database.url, onFault));
    const { store } = database;
    const runs = join(storageOf(loaded), "runs");
    await mkdir(runs, { recursive: true, mode: 0o700 });
    const auditor = new Auditor(store, onFault);
    undo.push(() => auditor.flush());
    const evaluations =
      config.evaluate_on === "queue"
        ? await QueueEvaluations.open(database.url)
        : new ThreadEvaluations();
    undo.push(() => evaluations.close());
    const relayToken = relayTokenOf(loaded);
    const relay = await Relay.listen({ ...config.relay, token: relayToken });
    undo.push(() => relay.close());
    const proxies = new TrustedProxies(config.trust_proxy);
    const door: AgentDoor = new AgentDoor({
      ...{ limits: config.limits, store, auditor },
      addressOf: (request) => caller(proxies, request),
      claim: (team, wish) => service.claim(team, wish),
      release: (submission) => service.release(submission),
      onAgent: (agent) => service.arrived(agent),
      onGone: (agent) => service.gone(agent),
    });
    const service = new ChallengeService({
      ...{ loaded, store, auditor, relay, relayToken, evaluations, door, onFault },
      secret: await store.secret("veil"),
      runs,
    });
    // A server is closed when the last of its connections is, and agents' are the door's to close.
    let closed: Promise<void> = Promise.resolve();
    undo.push(() => closed);
    undo.push(() => door.close());
    undo.push(() => service.close());
    await service.recover();
    const app = challengeApp({ loaded, store, core: service, onFault: (text) => onFault(text) });
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const times = {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: LOOK_MS,
    };
    const server = tls
      ? createTlsServer({ ...times, ...tls.context }, answer)
      : createServer(times, answer);
    server.on("upgrade", (request: IncomingMessage, wire: Duplex, head: Buffer) => {
      if (request.url?.split("?")[0] === AGENT_PATH) door.upgrade(request, wire, head);
      else wire.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    });
    const port = await listen(server, host, config.listen.port);
    undo.push(async () => {
      closed = new Promise((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
    });
    auditor.add({ event: "server_started", actor: "server", details: { host, port } });
    undo.push(async () => auditor.add({ event: "server_stopped", actor: "server" }));
    const place = `${bracketed(host)}:${port}`;
    const s = tls ? "s" : "";
    return {
      url: `http${s}://${place}/`,
      agentUrl: `ws${s}://${place}${AGENT_PATH}`,
      port,
      reload: () => reload(server, loaded, tls && tlsFiles(loaded)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function tlsFiles(loaded: LoadedChallenge): { readonly cert: string; readonly key: string } {
  const { cert = "", key = "" } = loaded.config.tls ?? {};
  return { cert: resolvePath(loaded, cert), key: resolvePath(loaded, key) };
}

/** Threads of ours are told it; workers elsewhere have it from their environment, and so must we. */
function relayTokenOf({ config, locate }: LoadedChallenge): string {
  if (config.evaluate_on === "threads") return randomBytes(32).toString("hex");
  const token = process.env.ROBOT_EVAL_POLICY_TOKEN;
  if (token !== undefined && token.length >= 16) return token;
  throw new ConfigError(
    "no_relay_token",
    "the cluster's workers need a token to reach agents through this server",
    {
      where: locate(["evaluate_on"]),
      hint: "set ROBOT_EVAL_POLICY_TOKEN to the same 16 characters or more here and for `robot-eval worker`",
    },
  );
}

function caller(proxies: TrustedProxies, { socket, headers }: IncomingMessage): string {
  const forwarded = headers["x-forwarded-for"];
  const told = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  return proxies.caller(socket.remoteAddress, told);
}

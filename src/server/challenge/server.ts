import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { isUnreachable } from "../../cluster/database/when-reachable.js";
import { makeFolder } from "../../config/output-path.js";
import { resolvePath } from "../../config/paths.js";
import { ConfigError, errorMessage, type RobotEvalError } from "../../core/errors.js";
import { bracketed } from "../auth.js";
import { closeServer, listen, rejectUpgrade } from "../listen.js";
import { Auditor } from "./auditor.js";
import { QueueEvaluations } from "./evaluation/queue-evaluations.js";
import { ThreadEvaluations } from "./evaluation/threads.js";
import { AgentGateway } from "./gateway/agent-gateway.js";
import { challengeApp } from "./http/app.js";
import { TrustedProxies } from "./http/client-address.js";
import { reload } from "./http/reload.js";
import { readTls } from "./http/tls-files.js";
import type { LoadedChallenge } from "./load.js";
import { Relay } from "./proxy/relay.js";
import { Readiness } from "./readiness.js";
import { ChallengeService } from "./service.js";
import { openChallengeDatabase, storageOf } from "./store/database.js";
import { acquireServerLock } from "./store/server-lock.js";

const AGENT_PATH = "/agent";
/** Timeouts of requests, so that slow clients do not keep connections. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
/** Interval of the timeout check. Node's default of 30 s would be added to the timeouts. */
const CHECK_MS = 1000;
const UNREACHABLE_QUIET_MS = 60_000;

export interface ChallengeServerOptions {
  readonly loaded: LoadedChallenge;
  readonly onFault: (error: unknown) => void;
  /** Receives messages for the operator that are not faults. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

export interface ChallengeServer {
  /** `http://host:port/`, or https. */
  readonly url: string;
  /** URL for agents: `ws://host:port/agent`, or wss. */
  readonly agentUrl: string;
  readonly port: number;
  /** Resolves when the server must be closed: its database is lost, or another server runs the challenge. */
  readonly failed: Promise<RobotEvalError>;
  /** Reloads the certificate and the phases' times. @throws ConfigError; nothing changes then */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Serves a challenge: pages and documents over HTTP, agents over WebSockets, both at one port. */
export async function createChallengeServer(
  options: ChallengeServerOptions,
): Promise<ChallengeServer> {
  const { loaded, onNotice } = options;
  const onFault = reportUnreachableOnce(options.onFault);
  const { config } = loaded;
  const { host } = config.listen;
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const tls = config.tls && (await readTls(tlsFiles(loaded)));
    let readiness: Readiness | undefined;
    const lost = new AbortController();
    let fail: (error: RobotEvalError) => void = () => {};
    const failed = new Promise<RobotEvalError>((resolve) => {
      fail = (error) => {
        readiness?.fail(error.message);
        lost.abort();
        resolve(error);
      };
    });
    const database = await openChallengeDatabase(loaded, "serve", {
      onRestart: (restarts) => onNotice?.(`PostgreSQL died and was restarted (${restarts})`),
      onLost: (error) => fail(error),
    });
    undo.push(() => database.stop());
    undo.push(await acquireServerLock(database.url, (error) => fail(error)));
    const { store } = database;
    const runs = join(storageOf(loaded), "runs");
    makeFolder(runs, 0o700);
    readiness = new Readiness({ store, runs });
    const auditor = new Auditor(store, onFault, lost.signal);
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
    const gateway: AgentGateway = new AgentGateway({
      ...{ limits: config.limits, store, auditor },
      addressOf: (request) => caller(proxies, request),
      claim: (team, request) => service.claim(team, request),
      release: (submission) => service.release(submission),
      onAgent: (agent) => service.arrived(agent),
      onGone: (agent) => service.gone(agent),
    });
    const service = new ChallengeService({
      ...{
        loaded,
        store,
        auditor,
        relay,
        relayToken,
        evaluations,
        readiness,
        gateway,
        onFault,
        lost: lost.signal,
      },
      // The name in the database. Another one would change all anonymised names.
      secret: await store.secret("veil"),
      runs,
    });
    // The server closes when its last connection does, so the gateway closes the agents' connections first.
    let closed: Promise<void> = Promise.resolve();
    undo.push(() => closed);
    undo.push(() => gateway.close());
    undo.push(() => service.close());
    await service.recover();
    const app = challengeApp({ loaded, store, core: service, readiness, onFault });
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const times = {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
    };
    const server = tls
      ? createTlsServer({ ...times, ...tls.context }, answer)
      : createServer(times, answer);
    server.on("upgrade", (request: IncomingMessage, wire: Duplex, head: Buffer) => {
      if (request.url?.split("?")[0] === AGENT_PATH) gateway.upgrade(request, wire, head);
      else rejectUpgrade(wire, "404 Not Found");
    });
    const port = await listen(server, host, config.listen.port);
    undo.push(async () => {
      closed = closeServer(server);
    });
    auditor.add({ event: "server_started", actor: "server", details: { host, port } });
    undo.push(async () => auditor.add({ event: "server_stopped", actor: "server" }));
    const place = `${bracketed(host)}:${port}`;
    const s = tls ? "s" : "";
    return {
      url: `http${s}://${place}/`,
      agentUrl: `ws${s}://${place}${AGENT_PATH}`,
      port,
      failed,
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

/** Reports an unreachable database at most once a minute, whatever fails because of it. */
function reportUnreachableOnce(onFault: (error: unknown) => void): (error: unknown) => void {
  let quietUntil = 0;
  return (error) => {
    if (!isUnreachable(error)) return onFault(error);
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + UNREACHABLE_QUIET_MS;
    onFault(`the database does not answer: ${errorMessage(error)}`);
  };
}

/** Threads of this process get a random token. Workers elsewhere read theirs from the environment, as this server does. */
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
  const chain = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  return proxies.caller(socket.remoteAddress, chain);
}

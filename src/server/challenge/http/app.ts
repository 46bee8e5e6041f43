import { randomBytes } from "node:crypto";
import { Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { isUnreachable } from "../../../cluster/database/when-reachable.js";
import { ConfigError } from "../../../core/errors.js";
import { MetricSet } from "../../../core/telemetry/metric-set.js";
import { checkToken, isLoopback, requireHost } from "../../auth.js";
import { addProcessMetrics } from "../../health/process-metrics.js";
import { countRequests } from "../../health/requests.js";
import { healthRoutes } from "../../health/routes.js";
import type { ChallengeConfig } from "../config.js";
import type { ChallengeDeps, CoreStatus } from "../core.js";
import { adminRoutes } from "./admin.js";
import { apiRoutes } from "./api.js";
import { limitBody } from "./body.js";
import { TrustedProxies } from "./client-address.js";
import type { ChallengeContext, ChallengeHono, Environment } from "./context.js";
import { Leaderboards } from "./leaderboards.js";
import { Live } from "./live.js";
import { pageRoutes, problemAnswer } from "./page-routes.js";
import { faultText, problemStatus, unknownAddress } from "./problems.js";
import { RequestGuard, TooManyRequests } from "./request-guard.js";
import { TeamView } from "./team-view.js";

/** Retry-After in seconds while the database or the storage is unavailable. */
const UNAVAILABLE_S = 10;

export interface ChallengeAppOptions extends ChallengeDeps {
  /** Called with the text of each internal error. */
  readonly onFault?: ((text: string) => void) | undefined;
}

/** The HTTP application of the challenge server: pages and JSON documents. */
export function challengeApp(options: ChallengeAppOptions): ChallengeHono {
  const { loaded, store, core, readiness } = options;
  const { config } = loaded;
  checkExposure(config);
  const fault = (error: unknown) => options.onFault?.(faultText(error));
  const guard = new RequestGuard({
    store,
    proxies: new TrustedProxies(config.trust_proxy),
    tls: config.tls !== undefined,
    requestsPerMinute: config.limits.requests_per_minute,
  });
  const leaderboards = new Leaderboards({ loaded, store, onFault: fault });
  const teams = new TeamView(loaded, store);
  const shared = {
    ...{ loaded, store, core, readiness, leaderboards, teams },
    live: new Live({ loaded, store, core, leaderboards, teams }),
    adminToken: adminToken(),
    refused: (c: ChallengeContext, why: string) => guard.refused(c, why),
  };
  const metrics = new MetricSet();
  addProcessMetrics(metrics);
  // Teams are not labels, to keep private who is being evaluated.
  const gauge = (name: keyof CoreStatus, help: string) =>
    metrics.measured({ name: `robot_eval_challenge_${name}`, help, type: "gauge" }, () => {
      return core.status()[name];
    });
  gauge("running", "Submissions that are being evaluated.");
  gauge("queued", "Submissions that wait with a connected agent.");
  gauge("connections", "Connected agents.");
  const health = { failure: () => readiness.failure, ready: () => readiness.problem() };

  const app: ChallengeHono = new Hono<Environment>();
  app.use(securityHeaders());
  app.use(countRequests(metrics));
  if (isLoopback(config.listen.host) && config.trust_proxy.length === 0) {
    app.use(requireHost(config.listen.host));
  }
  // Without an administrator's token, a random one locks the metrics.
  const token = shared.adminToken ?? randomBytes(32).toString("hex");
  app.use(guard.address());
  app.use(limitBody());
  app.route("/", healthRoutes({ metrics, token, ...health }));
  app.route("/api/admin", adminRoutes(shared));
  app.use(guard.team());
  app.route("/api", apiRoutes(shared));
  app.route("/", pageRoutes(shared));
  app.notFound((c) => answer(c, unknownAddress()));
  app.onError((error, c) => answer(c, error));
  const answer = (c: ChallengeContext, error: unknown): Response => {
    const { status, problem } = problemStatus(error);
    // Teams only see that the server is unavailable; the log has the reason.
    if (status === 500 || isUnreachable(error)) fault(error);
    if (error instanceof TooManyRequests) c.header("Retry-After", String(error.seconds));
    if (status === 503) c.header("Retry-After", String(UNAVAILABLE_S));
    if (status === 401) c.header("WWW-Authenticate", 'Bearer realm="robot-eval challenge"');
    const forPeople =
      !c.req.path.startsWith("/api/") && /text\/html/.test(c.req.header("Accept") ?? "");
    if (forPeople) return problemAnswer(c, shared, error, status);
    return c.json(problem, status, { "Cache-Control": "no-store" }) as Response;
  };
  return app;
}

/** Pages load styles, scripts and data from their own server only. */
const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** No device features are needed. */
const NOTHING = { camera: [], microphone: [], geolocation: [], usb: [], payment: [] };

/** One year; not for subdomains, which may have other owners. */
const HSTS = "max-age=31536000";

/** Sets the security headers of every response. */
function securityHeaders(): MiddlewareHandler<Environment> {
  const headers = secureHeaders({
    contentSecurityPolicy: POLICY,
    permissionsPolicy: NOTHING,
    // With `no-referrer`, browsers send forms with the origin `null`.
    referrerPolicy: "same-origin",
    strictTransportSecurity: false,
    xFrameOptions: "DENY",
  });
  return async (c, next) => {
    await headers(c, next);
    // Browsers ignore it over plain HTTP (RFC 6797, 7.2), and loopback must not get it.
    if (c.get("secure")) c.res.headers.set("Strict-Transport-Security", HSTS);
  };
}

const ADMIN_TOKEN = "ROBOT_EVAL_ADMIN_TOKEN";

/**
 * The organisers' token for the audit log and the metrics over HTTP. Only read from the environment, because
 * challenge files are public.
 */
function adminToken(): string | undefined {
  const token = process.env[ADMIN_TOKEN];
  if (token === undefined || token === "") return undefined;
  checkToken("127.0.0.1", token, { host: "listen.host", token: ADMIN_TOKEN });
  return token;
}

/**
 * Requires TLS, by this server or a proxy, if other machines can reach the server: every request carries a token.
 */
function checkExposure({
  listen: { host },
  tls,
  trust_proxy,
}: Pick<ChallengeConfig, "listen" | "tls" | "trust_proxy">): void {
  if (isLoopback(host) || tls !== undefined || trust_proxy.length > 0) return;
  throw new ConfigError(
    "tls_required",
    `${host} is reachable from other machines, and tokens would be sent unencrypted`,
    {
      where: "listen.host",
      hint: "set a certificate and its key in `tls`; or use a TLS proxy and list its address in `trust_proxy`",
    },
  );
}

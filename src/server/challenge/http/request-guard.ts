import { getConnInfo } from "@hono/node-server/conninfo";
import type { MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import { bearer } from "../../auth.js";
import { ChallengeError } from "../errors.js";
import { tokenId } from "../gateway/tokens.js";
import type { ChallengeStore } from "../store/postgres-store.js";
import type { AuditEntry } from "../store/store.js";
import { addressKey, type TrustedProxies } from "./client-address.js";
import type { ChallengeContext, Environment } from "./context.js";
import { unauthorised } from "./problems.js";
import { teamCookie } from "./session-cookie.js";
import { TokenBuckets } from "./token-buckets.js";

export interface RequestGuardOptions {
  readonly store: ChallengeStore;
  readonly proxies: TrustedProxies;
  /** True if this server itself uses TLS. */
  readonly tls: boolean;
  /** Limit per address and per team. */
  readonly requestsPerMinute: number;
}

/** Audit entries per address and minute, so that a flood does not fill the disk. */
const AUDITED_PER_MINUTE = 10;

/** Middleware that identifies the client, limits its rate and authenticates its team. */
export class RequestGuard {
  readonly #addresses: TokenBuckets;
  readonly #teams: TokenBuckets;
  readonly #audited = new TokenBuckets({
    perMinute: AUDITED_PER_MINUTE,
    burst: AUDITED_PER_MINUTE,
  });

  constructor(private readonly options: RequestGuardOptions) {
    const perMinute = options.requestsPerMinute;
    const rate = { perMinute, burst: Math.max(1, Math.ceil(perMinute / 2)) };
    this.#addresses = new TokenBuckets(rate);
    this.#teams = new TokenBuckets(rate);
  }

  /** Determines the client's address and applies the rate limit per address. */
  address(): MiddlewareHandler<Environment> {
    return async (c, next) => {
      const { proxies, tls } = this.options;
      const remote = remoteOf(c);
      c.set("caller", proxies.caller(remote, c.req.header("X-Forwarded-For")));
      const behindTls =
        proxies.has(remote) && lastOf(c.req.header("X-Forwarded-Proto")) === "https";
      c.set("secure", tls || behindTls);
      this.#limit(c, this.#addresses, addressKey(c.get("caller")), "anonymous");
      await next();
    };
  }

  /** Authenticates the token, if one was sent. An invalid bearer token is rejected even on public routes. */
  team(): MiddlewareHandler<Environment> {
    return async (c, next) => {
      const token = bearer(c) ?? getCookie(c, teamCookie(c.get("secure")));
      if (token === undefined) return next();
      const team = await this.options.store.authenticate(token);
      if (team) {
        this.#limit(c, this.#teams, team.id, `team:${team.name}`, team.id);
        c.set("team", team);
        c.set("tokenId", tokenId(token));
      } else if (bearer(c) !== undefined) {
        this.refused(c, "wrong_token");
        throw unauthorised();
      }
      await next();
    };
  }

  /** Audits a rejected request. */
  refused(c: ChallengeContext, why: string): void {
    this.#audit(c, { event: "http_refused", actor: "anonymous", details: { why } });
  }

  #limit(
    c: ChallengeContext,
    buckets: TokenBuckets,
    key: string,
    actor: string,
    teamId?: string,
  ): void {
    const seconds = buckets.take(key);
    if (seconds === 0) return;
    this.#audit(c, { event: "limit_hit", actor, teamId, details: { what: "http requests" } });
    throw new TooManyRequests(seconds);
  }

  #audit(c: ChallengeContext, entry: AuditEntry): void {
    const remote = c.get("caller");
    if (this.#audited.take(addressKey(remote)) > 0) return;
    const details = { ...entry.details, method: c.req.method, path: c.req.path.slice(0, 200) };
    // Not awaited: the request is rejected even if the log cannot be written.
    this.options.store.audit({ ...entry, remote, details }).catch(() => {});
  }
}

export class TooManyRequests extends ChallengeError {
  constructor(readonly seconds: number) {
    super("too_many", "too many requests", { hint: `wait ${seconds} s` });
  }
}

/** Empty if there is no connection, because a program calls the app in its own process. */
function remoteOf(c: ChallengeContext): string {
  try {
    return getConnInfo(c).remote.address?.replace(/^::ffff:/i, "") ?? "";
  } catch {
    return "";
  }
}

/** The last value, which the nearest proxy wrote. */
function lastOf(header: string | undefined): string | undefined {
  return header?.split(",").at(-1)?.trim().toLowerCase();
}

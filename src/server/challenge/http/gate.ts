import { getConnInfo } from "@hono/node-server/conninfo";
import type { MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import { bearer } from "../../auth.js";
import { ChallengeError } from "../errors.js";
import type { AuditEntry, ChallengeStore } from "../store.js";
import { tokenId } from "../tokens.js";
import { addressKey, type TrustedProxies } from "./client-address.js";
import type { ChallengeContext, Environment } from "./context.js";
import { unauthorised } from "./problems.js";
import { teamCookie } from "./session-cookie.js";
import { TokenBuckets } from "./token-buckets.js";

export interface GateOptions {
  readonly store: ChallengeStore;
  readonly proxies: TrustedProxies;
  /** Whether we speak TLS ourselves. */
  readonly tls: boolean;
  /** Of one address, and of one team. */
  readonly requestsPerMinute: number;
}

/** Entries that one address may cause in the log in a minute: a flood must not fill the disk. */
const NOTES_A_MINUTE = 10;

/** Stands before everything: who is calling, how often, and with whose token. */
export class Gate {
  readonly #options: GateOptions;
  readonly #addresses: TokenBuckets;
  readonly #teams: TokenBuckets;
  readonly #notes = new TokenBuckets({ perMinute: NOTES_A_MINUTE, burst: NOTES_A_MINUTE });

  constructor(options: GateOptions) {
    this.#options = options;
    const perMinute = options.requestsPerMinute;
    const rate = { perMinute, burst: Math.max(1, Math.ceil(perMinute / 2)) };
    this.#addresses = new TokenBuckets(rate);
    this.#teams = new TokenBuckets(rate);
  }

  /** Finds out who calls, and turns floods away before they cost anything. */
  address(): MiddlewareHandler<Environment> {
    return async (c, next) => {
      const { proxies, tls } = this.#options;
      const remote = remoteOf(c);
      c.set("caller", proxies.caller(remote, c.req.header("X-Forwarded-For")));
      const behindTls =
        proxies.has(remote) && lastOf(c.req.header("X-Forwarded-Proto")) === "https";
      c.set("secure", tls || behindTls);
      this.#limit(c, this.#addresses, addressKey(c.get("caller")), "anonymous");
      await next();
    };
  }

  /** Finds the team whose token came along. A wrong one is refused even where none is needed. */
  team(): MiddlewareHandler<Environment> {
    return async (c, next) => {
      const token = bearer(c) ?? getCookie(c, teamCookie(c.get("secure")));
      if (token === undefined) return next();
      const team = await this.#options.store.authenticate(token);
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

  /** Writes down that somebody was turned away. */
  refused(c: ChallengeContext, why: string): void {
    this.#note(c, { event: "http_refused", actor: "anonymous", details: { why } });
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
    this.#note(c, { event: "limit_hit", actor, teamId, details: { what: "http requests" } });
    throw new TooManyRequests(seconds);
  }

  #note(c: ChallengeContext, entry: AuditEntry): void {
    const remote = c.get("caller");
    if (this.#notes.take(addressKey(remote)) > 0) return;
    const details = { ...entry.details, method: c.req.method, path: c.req.path.slice(0, 200) };
    // Whoever is turned away does not wait for it, and a log that cannot be written opens no door.
    this.#options.store.audit({ ...entry, remote, details }).catch(() => {});
  }
}

export class TooManyRequests extends ChallengeError {
  readonly seconds: number;

  constructor(seconds: number) {
    super("too_many", "too many requests", { hint: `wait ${seconds} s` });
    this.seconds = seconds;
  }
}

/** Where there is no connection, a program calls this in its own process. */
function remoteOf(c: ChallengeContext): string {
  try {
    return getConnInfo(c).remote.address?.replace(/^::ffff:/i, "") ?? "";
  } catch {
    return "";
  }
}

/** The nearest proxy's word stands last. */
function lastOf(header: string | undefined): string | undefined {
  return header?.split(",").at(-1)?.trim().toLowerCase();
}

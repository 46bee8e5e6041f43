import { createHash } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { sameSecret } from "../api/websocket/secrets.js";
import { ConfigError } from "../core/errors.js";
import type { Problem } from "./view/documents.js";

/** Minimum length of a token: 16 characters cannot be guessed over a network. */
const SHORTEST_TOKEN = 16;

/**
 * Requires the token as `Authorization: Bearer`, in the URL, or in the cookie that this sets. It does not redirect to
 * a URL without the token: a browser that came from another site would not send the strict cookie.
 */
export function requireToken(token: string): MiddlewareHandler {
  const cookie = cookieName(token);
  return async (c, next) => {
    const asked = c.req.query("token");
    const byAddress = asked !== undefined && sameSecret(asked, token);
    if (!byAddress && !sameSecret(bearer(c) ?? getCookie(c, cookie) ?? "", token)) {
      return c.json(unauthorised(), 401, { "WWW-Authenticate": 'Bearer realm="robot-eval"' });
    }
    if (byAddress) setCookie(c, cookie, token, { httpOnly: true, sameSite: "Strict", path: "/" });
    return next();
  };
}

/** Unique per token, because cookies ignore ports and two servers on one host would overwrite each other's. */
function cookieName(token: string): string {
  return `robot_eval_${createHash("sha256").update(token).digest("hex").slice(0, 12)}`;
}

/** The token of the header `Authorization: Bearer`. */
export function bearerIn(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];
}

export function bearer(c: Context): string | undefined {
  return bearerIn(c.req.header("Authorization"));
}

function unauthorised(): Problem {
  return {
    code: "unauthorised",
    message: "this server requires a token",
    where: null,
    hint: "open the address that `robot-eval view` printed, or send Authorization: Bearer <token>",
  };
}

/**
 * Rejects requests for another host name: another site can resolve its own name to this machine (DNS rebinding) and
 * would get the same access as the dashboard's page.
 */
export function requireHost(host: string): MiddlewareHandler {
  const names = new Set(["localhost", "127.0.0.1", "[::1]", bracketed(host)]);
  return async (c, next) => {
    const name = (c.req.header("Host") ?? "").replace(/:\d+$/, "").toLowerCase();
    if (names.has(name)) return next();
    const problem: Problem = {
      code: "wrong_host",
      message: "this server rejects requests for other host names",
      where: null,
      hint: `open it as http://${bracketed(host)}, or let it listen under that name with --host and --token`,
    };
    return c.json(problem, 400);
  };
}

export function bracketed(host: string): string {
  return (host.includes(":") ? `[${host}]` : host).toLowerCase();
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Requires a token if other machines can reach the host.
 *
 * @param names settings of host and token, for the error
 */
export function checkToken(
  host: string,
  token: string | undefined,
  names = { host: "--host", token: "--token" },
): void {
  if (token === undefined && !isLoopback(host)) {
    throw new ConfigError("token_required", `${host} can be reached from other machines`, {
      where: names.host,
      hint: `set a token that clients must send: ${names.token} <secret>`,
    });
  }
  if (token !== undefined && (token.length < SHORTEST_TOKEN || /[^\w.~+/=-]/.test(token))) {
    throw new ConfigError(
      "bad_token",
      "the token is too short, or has characters other than a-z A-Z 0-9 _ . ~ + / = -",
      {
        where: names.token,
        hint: `use at least ${SHORTEST_TOKEN} characters, for example from: openssl rand -hex 16`,
      },
    );
  }
}

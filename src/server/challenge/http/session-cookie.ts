import { deleteCookie, setCookie } from "hono/cookie";
import { ChallengeError } from "../errors.js";
import type { ChallengeContext } from "./context.js";

/**
 * Name of the cookie with a team's token. Scripts cannot read it, other sites cannot send it, and over TLS no
 * subdomain can set it (`__Host-`).
 */
export function teamCookie(secure: boolean): string {
  return secure ? "__Host-robot_eval_team" : "robot_eval_team";
}

export function rememberTeam(c: ChallengeContext, token: string): void {
  const secure = c.get("secure");
  setCookie(c, teamCookie(secure), token, {
    httpOnly: true,
    sameSite: "Strict",
    path: "/",
    secure,
  });
}

export function forgetTeam(c: ChallengeContext): void {
  const secure = c.get("secure");
  deleteCookie(c, teamCookie(secure), { path: "/", secure });
}

/**
 * Rejects cross-site requests of browsers. Programs, which send a token and no Origin, are not affected.
 */
export function checkOrigin(c: ChallengeContext): void {
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  // Browsers send Sec-Fetch-Site over secure connections only, and Origin always.
  const own =
    site === undefined
      ? origin === undefined || hostOf(origin) === c.req.header("Host")
      : site === "same-origin" || site === "none";
  if (own) return;
  throw new ChallengeError("wrong_origin", "the request was sent by a page of another site");
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

import { ConfigError } from "../../../core/errors.js";
import { checkToken, isLoopback } from "../../auth.js";
import type { ChallengeConfig } from "../config.js";

const ADMIN_TOKEN = "ROBOT_EVAL_ADMIN_TOKEN";

/**
 * The organisers' token for the audit log and the metrics over HTTP. Only read from the environment, because
 * challenge files are public.
 */
export function adminToken(): string | undefined {
  const token = process.env[ADMIN_TOKEN];
  if (token === undefined || token === "") return undefined;
  checkToken("127.0.0.1", token, { host: "listen.host", token: ADMIN_TOKEN });
  return token;
}

/**
 * Requires TLS, by this server or a proxy, if other machines can reach the server: every request carries a token.
 */
export function checkExposure({
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

import { ConfigError } from "../../../core/errors.js";
import { isLoopback } from "../../auth.js";
import type { ChallengeConfig } from "../config.js";

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

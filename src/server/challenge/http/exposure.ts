import { ConfigError } from "../../../core/errors.js";
import { isLoopback } from "../../auth.js";
import type { ChallengeConfig } from "../config.js";

/**
 * Teams show their tokens with every request: beyond this machine they travel over TLS, ours or a proxy's, or not
 * at all.
 */
export function checkExposure({
  listen: { host },
  tls,
  trust_proxy,
}: Pick<ChallengeConfig, "listen" | "tls" | "trust_proxy">): void {
  if (isLoopback(host) || tls !== undefined || trust_proxy.length > 0) return;
  throw new ConfigError(
    "tls_required",
    `${host} can be reached from other machines, and tokens would travel there in clear`,
    {
      where: "listen.host",
      hint: "name a certificate and its key in `tls`; or let a proxy speak TLS, and list its address in `trust_proxy`",
    },
  );
}

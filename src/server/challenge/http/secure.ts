import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Environment } from "./context.js";

/** Pages load their own style and script, talk to their own server and nothing else. */
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

/** Nothing of a device is needed. */
const NOTHING = { camera: [], microphone: [], geolocation: [], usb: [], payment: [] };

/** A year, and not for subdomains, which may be somebody else's. */
const HSTS = "max-age=31536000";

/** The headers that keep browsers from helping an attacker, on every answer. */
export function securityHeaders(): MiddlewareHandler<Environment> {
  const headers = secureHeaders({
    contentSecurityPolicy: POLICY,
    permissionsPolicy: NOTHING,
    // Not `no-referrer`, under which forms are sent with the origin `null`.
    referrerPolicy: "same-origin",
    strictTransportSecurity: false,
    xFrameOptions: "DENY",
  });
  return async (c, next) => {
    await headers(c, next);
    // Told over plain HTTP it would be ignored (RFC 6797, 7.2), and must not be told on loopback.
    if (c.get("secure")) c.res.headers.set("Strict-Transport-Security", HSTS);
  };
}

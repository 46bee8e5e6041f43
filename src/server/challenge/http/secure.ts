import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Environment } from "./context.js";

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
export function securityHeaders(): MiddlewareHandler<Environment> {
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

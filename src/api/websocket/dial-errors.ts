import type { IncomingMessage } from "node:http";
import { errorCode, errorMessage } from "../../core/errors.js";
import { PeerError } from "./peer-error.js";

/** A connection that nobody answers, in words, and whether trying again may help. */
export function asPeerError(url: string, error: unknown): PeerError {
  const code = String(errorCode(error) ?? "");
  const { hostname, port, protocol } = new URL(url);
  const details = { where: url, cause: error };
  switch (code) {
    case "ECONNREFUSED":
      return new PeerError("connection_refused", `nobody listens on ${hostname}:${port || "?"}`, {
        ...details,
        transient: true,
        hint: "start the policy first, and check host and port",
      });
    case "ENOTFOUND":
      return new PeerError("unknown_host", `there is no host "${hostname}"`, {
        ...details,
        hint: "check the spelling; inside containers a name may differ",
      });
    case "EAI_AGAIN":
      return new PeerError("unknown_host", `the name "${hostname}" could not be looked up`, {
        ...details,
        transient: true,
        hint: "the name server did not answer",
      });
    case "ECONNRESET":
    case "EPIPE":
      return new PeerError("connection_reset", "the peer hung up before it answered", {
        ...details,
        transient: true,
        hint: "it may be starting or crashing: see its own log",
      });
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return new PeerError("unreachable", `${hostname} cannot be reached (${code})`, {
        ...details,
        transient: true,
        hint: "check the network and firewalls between here and there",
      });
  }
  if (code.startsWith("HPE_") || code === "EPROTO" || code.startsWith("ERR_SSL")) {
    return new PeerError("no_websocket", `what answers there speaks no WebSocket: ${told(error)}`, {
      ...details,
      hint:
        protocol === "wss:"
          ? "a server without TLS is reached by ws://"
          : "check the port; a server with TLS is reached by wss://",
    });
  }
  if (/CERT|TLS|SIGNATURE/.test(code)) {
    return new PeerError("tls", `the certificate is not trusted: ${told(error)}`, {
      ...details,
      hint: "name your own authority's file in NODE_EXTRA_CA_CERTS",
    });
  }
  return new PeerError("no_connection", `no WebSocket connection: ${told(error)}`, details);
}

/** An HTTP server that answers with something else than an upgrade. */
export function httpStatus(url: string, response: IncomingMessage): PeerError {
  const { statusCode = 0, statusMessage = "" } = response;
  // What a proxy says while the server behind it is starting.
  const transient = statusCode >= 502 && statusCode <= 504;
  const denied = statusCode === 401 || statusCode === 403;
  return new PeerError(
    "http_status",
    `it answers HTTP ${statusCode} ${statusMessage}`.trim().concat(" instead of a WebSocket"),
    {
      where: url,
      transient,
      hint: denied ? "something in front of the policy asks for access" : "check port and path",
    },
  );
}

export function silent(url: string, waitedMs: number): PeerError {
  return new PeerError(
    "connect_timeout",
    `no WebSocket connection within ${(waitedMs / 1000).toFixed(1)} s`,
    { where: url, hint: "what listens there may be no WebSocket server, or is not reachable" },
  );
}

function told(error: unknown): string {
  return errorMessage(error) || String(errorCode(error) ?? "no reason given");
}

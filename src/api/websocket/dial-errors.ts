import type { IncomingMessage } from "node:http";
import { errorCode, errorMessage } from "../../core/errors.js";
import { PeerError } from "./peer-error.js";

/** Converts a failed connection attempt to an error that says if trying again may help. */
export function asPeerError(url: string, error: unknown): PeerError {
  const code = String(errorCode(error) ?? "");
  const { hostname, port, protocol } = new URL(url);
  const details = { where: url, cause: error };
  switch (code) {
    case "ECONNREFUSED":
      return new PeerError(
        "connection_refused",
        `connection refused by ${hostname}:${port || "?"}`,
        {
          ...details,
          transient: true,
          hint: "start the policy first, and check host and port",
        },
      );
    case "ENOTFOUND":
      return new PeerError("unknown_host", `the host "${hostname}" does not exist`, {
        ...details,
        hint: "check the spelling; host names may differ inside containers",
      });
    case "EAI_AGAIN":
      return new PeerError("unknown_host", `the host name "${hostname}" could not be resolved`, {
        ...details,
        transient: true,
        hint: "check the DNS server, which did not answer",
      });
    case "ECONNRESET":
    case "EPIPE":
      return new PeerError(
        "connection_reset",
        "the peer closed the connection before it answered",
        {
          ...details,
          transient: true,
          hint: "it may be starting or crashing: check its log",
        },
      );
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return new PeerError("unreachable", `${hostname} cannot be reached (${code})`, {
        ...details,
        transient: true,
        hint: "check the network and firewalls",
      });
  }
  if (code.startsWith("HPE_") || code === "EPROTO" || code.startsWith("ERR_SSL")) {
    return new PeerError(
      "no_websocket",
      `the server is not a WebSocket server: ${reasonOf(error)}`,
      {
        ...details,
        hint:
          protocol === "wss:"
            ? "use ws:// for a server without TLS"
            : "check the port; use wss:// for a server with TLS",
      },
    );
  }
  if (/CERT|TLS|SIGNATURE/.test(code)) {
    return new PeerError("tls", `the certificate is not trusted: ${reasonOf(error)}`, {
      ...details,
      hint: "set NODE_EXTRA_CA_CERTS to the file of your certificate authority",
    });
  }
  return new PeerError("no_connection", `no WebSocket connection: ${reasonOf(error)}`, details);
}

/** Error for an HTTP server that does not answer with an upgrade. */
export function httpStatus(url: string, response: IncomingMessage): PeerError {
  const { statusCode = 0, statusMessage = "" } = response;
  // A proxy answers with these codes while the server behind it is starting.
  const transient = statusCode >= 502 && statusCode <= 504;
  const denied = statusCode === 401 || statusCode === 403;
  return new PeerError(
    "http_status",
    `the server answered HTTP ${statusCode} ${statusMessage}`
      .trim()
      .concat(" instead of a WebSocket"),
    {
      where: url,
      transient,
      hint: denied
        ? "a proxy in front of the policy requires authentication"
        : "check port and path",
    },
  );
}

export function silent(url: string, waitedMs: number): PeerError {
  return new PeerError(
    "connect_timeout",
    `no WebSocket connection within ${(waitedMs / 1000).toFixed(1)} s`,
    { where: url, hint: "check that the address is a WebSocket server and reachable" },
  );
}

function reasonOf(error: unknown): string {
  return errorMessage(error) || String(errorCode(error) ?? "no reason given");
}

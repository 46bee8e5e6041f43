import { ProtocolError } from "../../core/errors.js";
import { type Capabilities, ENCODINGS, type Encoding, PROTOCOL_VERSION } from "./base.js";

/**
 * Computes the capabilities that both sides use; called by the listening side. `policy` is the side that is the
 * policy: it alone decides its sensors, chunk length and conventions.
 */
export function agree(
  dialer: Capabilities,
  listener: Capabilities,
  policy: Capabilities,
): Capabilities {
  return {
    encodings: [chosenEncoding(dialer.encodings ?? [], listener.encodings ?? ENCODINGS)],
    sessions: Math.min(dialer.sessions ?? 1, listener.sessions ?? 1),
    ...(policy.sensors ? { sensors: policy.sensors } : {}),
    ...(policy.action_chunk === undefined ? {} : { action_chunk: policy.action_chunk }),
    ...(policy.conventions ? { conventions: policy.conventions } : {}),
  };
}

/** The negotiated encoding; peers of the plain form name none and use JSON. */
export function encodingOf({ encodings }: Capabilities): Encoding {
  return encodings?.[0] === "msgpack" ? "msgpack" : "json";
}

/** Accepts peers of the plain form, which send no version. */
export function checkVersion(version: string | undefined): void {
  if (version === undefined || major(version) === major(PROTOCOL_VERSION)) return;
  throw new ProtocolError(
    "version_mismatch",
    `the peer uses protocol ${version}, this side ${PROTOCOL_VERSION}`,
    { hint: "update the older side" },
  );
}

function chosenEncoding(offered: readonly string[], known: readonly string[]): Encoding {
  const chosen = offered.find((name) => known.includes(name));
  return chosen === "msgpack" ? "msgpack" : "json";
}

function major(version: string): string {
  return version.split(".")[0] ?? "";
}

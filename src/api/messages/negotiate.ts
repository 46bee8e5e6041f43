import { ProtocolError } from "../../core/errors.js";
import { type Capabilities, ENCODINGS, type Encoding, PROTOCOL_VERSION } from "./base.js";

/**
 * What both sides will use, worked out by who listens. `policy` is whichever of the two is the policy: what it
 * wants to see, how much it answers at once and what its numbers mean is for it alone to say.
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

/** The encoding that an agreement names; plain peers name none and speak JSON. */
export function encodingOf({ encodings }: Capabilities): Encoding {
  return encodings?.[0] === "msgpack" ? "msgpack" : "json";
}

/** Peers of the design's plain form tell no version, and are welcome. */
export function checkVersion(version: string | undefined): void {
  if (version === undefined || major(version) === major(PROTOCOL_VERSION)) return;
  throw new ProtocolError(
    "version_mismatch",
    `the peer speaks protocol ${version}, this side ${PROTOCOL_VERSION}`,
    { hint: "update the older of the two" },
  );
}

function chosenEncoding(offered: readonly string[], known: readonly string[]): Encoding {
  const chosen = offered.find((name) => known.includes(name));
  return chosen === "msgpack" ? "msgpack" : "json";
}

function major(version: string): string {
  return version.split(".")[0] ?? "";
}

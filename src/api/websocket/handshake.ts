import type { PolicyIdentity } from "../../core/policy-identity.js";
import {
  type Capabilities,
  type Message,
  type MessageOf,
  PROTOCOL_VERSION,
} from "../messages/base.js";
import { checkVersion, encodingOf } from "../messages/negotiate.js";
import type { Link } from "./link.js";
import { PeerError } from "./peer-error.js";

/** What the dialling side sends about itself. */
export interface Hello {
  readonly role: "agent" | "evaluator";
  readonly capabilities: Capabilities;
  readonly token?: string | undefined;
  /** Set by policies. */
  readonly policy?: PolicyIdentity | undefined;
  /** Resumes a broken connection. */
  readonly resume?: {
    readonly session_id: string;
    readonly last_seq: number;
    readonly resume_token?: string | undefined;
  };
}

/** Sends `connect` and waits for `connected`. Later messages stay in the link until it has a listener. */
export async function introduce(
  link: Link,
  { role, capabilities, token, policy, resume }: Hello,
  timeoutMs: number,
): Promise<MessageOf<"connected">> {
  const answer = firstMessage(link, timeoutMs);
  link.tell({
    type: "connect",
    session_id: "",
    role,
    protocol_version: PROTOCOL_VERSION,
    capabilities,
    ...(token === undefined ? {} : { token }),
    ...(policy === undefined ? {} : { policy: { ...policy } }),
    ...(resume ? { resume: { ...resume } } : {}),
  });
  const message = await answer;
  if (message.type === "error") throw new PeerError(message.code, message.message);
  if (message.type !== "connected") {
    throw new PeerError("no_handshake", `the peer answered \`connect\` with \`${message.type}\``);
  }
  checkVersion(message.protocol_version);
  link.encoding = encodingOf(message.capabilities ?? {});
  return message;
}

/** Resolves with the first valid message of a link, then removes the listener. */
export function firstMessage(
  link: Link,
  timeoutMs: number,
  onInvalid?: (error: unknown) => void,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
      clearTimeout(timer);
      link.listen(undefined);
    };
    const giveUp = () => {
      if (isSettled) return;
      settle();
      reject(
        new PeerError("no_handshake", `no \`connect\`/\`connected\` within ${timeoutMs / 1000} s`, {
          hint: "check that it is a robot-eval peer; policies of openpi, BEHAVIOR, RoboArena and vla-eval have their own schemes, for example openpi+ws://",
        }),
      );
    };
    // Node runs timers before it reads sockets, so first let a reply that has already arrived be read.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    link.listen({
      onMessage: (message) => {
        settle();
        resolve(message);
      },
      onBadFrame: (error) => onInvalid?.(error),
      onClose: (code, reason) => {
        settle();
        reject(closedEarly(code, reason));
      },
    });
  });
}

function closedEarly(code: number, reason: string): PeerError {
  return new PeerError(
    "no_handshake",
    `the peer closed the connection (${code}${reason ? `: ${reason}` : ""}) before it sent \`connected\``,
    // 1006 and 1012: the server may be restarting; any other code is final.
    { transient: code === 1006 || code === 1012 },
  );
}

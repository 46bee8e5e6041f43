import {
  type Capabilities,
  type Message,
  type MessageOf,
  PROTOCOL_VERSION,
} from "../messages/base.js";
import { checkVersion, encodingOf } from "../messages/negotiate.js";
import type { Link } from "./link.js";
import { PeerError } from "./peer-error.js";

/** What who dials says of itself. */
export interface Hello {
  readonly role: "agent" | "evaluator";
  readonly capabilities: Capabilities;
  readonly token?: string | undefined;
  /** Takes up a connection that broke off. */
  readonly resume?: {
    readonly session_id: string;
    readonly last_seq: number;
    readonly resume_token?: string | undefined;
  };
}

/** Says `connect` and waits for `connected`. What comes after it waits in the link for its next listener. */
export async function introduce(
  link: Link,
  { role, capabilities, token, resume }: Hello,
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
    ...(resume ? { resume: { ...resume } } : {}),
  });
  const message = await answer;
  if (message.type === "error") throw new PeerError(message.code, message.message);
  if (message.type !== "connected") {
    throw new PeerError("no_handshake", `the peer answers \`connect\` with \`${message.type}\``);
  }
  checkVersion(message.protocol_version);
  link.encoding = encodingOf(message.capabilities ?? {});
  return message;
}

/** The first message of a link; then the link is without a listener again. */
export function firstMessage(link: Link, timeoutMs: number): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      link.listen(undefined);
    };
    const timer = setTimeout(() => {
      settle();
      reject(
        new PeerError("no_handshake", `no \`connect\`/\`connected\` within ${timeoutMs / 1000} s`, {
          hint: "is it a peer of robot-eval? Policies of openpi, BEHAVIOR, RoboArena and vla-eval have schemes of their own: openpi+ws://",
        }),
      );
    }, timeoutMs);
    link.listen({
      onMessage: (message) => {
        settle();
        resolve(message);
      },
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
    `the peer closed the connection (${code}${reason ? `: ${reason}` : ""}) before it said \`connected\``,
    // 1006: torn off, as by a server that is restarting; anything else is an answer.
    { transient: code === 1006 || code === 1012 },
  );
}

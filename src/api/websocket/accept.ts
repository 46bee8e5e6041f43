import { errorMessage, ProtocolError, RobotEvalError } from "../../core/errors.js";
import type { PolicyIdentity } from "../../core/policy-identity.js";
import { type Capabilities, type MessageOf, PROTOCOL_VERSION } from "../messages/base.js";
import { agree, checkVersion, encodingOf } from "../messages/negotiate.js";
import { firstMessage } from "./handshake.js";
import type { Link } from "./link.js";
import { PeerError } from "./peer-error.js";
import { ResumeTokens } from "./secrets.js";

/** Milliseconds in which a dialling peer must send `connect`. */
const HANDSHAKE_MS = 10_000;

/** RFC 6455 close code for each rejection; the default is a protocol error. */
const CLOSE_CODES: Readonly<Record<string, number>> = {
  unauthorized: 1008,
  version_mismatch: 1002,
  bad_role: 1008,
  busy: 1013,
};

export interface AcceptOptions {
  /** Role that may dial: policies or evaluators. */
  readonly expects: "agent" | "evaluator";
  readonly server: { readonly name: string; readonly version?: string };
  /** True if a broken connection can be resumed; its owner then calls `forget` when it ends. */
  readonly resumable?: boolean | undefined;
  readonly handshakeMs?: number | undefined;
  /** Called when a dialling peer or its first message was rejected, with the reason. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
}

/** What an accepted peer receives. */
export interface Admission {
  /** Our capabilities; the negotiated ones are computed from these and the peer's. */
  readonly capabilities: Capabilities;
  /** Set if the listening side is a policy. */
  readonly policy?: PolicyIdentity | undefined;
  /** Sent next to the server's name in `connected`. */
  readonly about?: Readonly<Record<string, string>> | undefined;
}

/**
 * Accepts a dialling peer, or rejects it by throwing.
 *
 * @param resumedId session id of the connection that the peer resumes, already proved by its token
 */
export type Admit = (
  hello: MessageOf<"connect">,
  resumedId: string | undefined,
) => Admission | Promise<Admission>;

/** A connection after its handshake. */
export interface Accepted {
  readonly link: Link;
  readonly hello: MessageOf<"connect">;
  readonly sessionId: string;
  /** The negotiated capabilities. */
  readonly capabilities: Capabilities;
  /** True if it resumes a connection that was accepted before under the same session id. */
  readonly resumed: boolean;
  /** Token for resuming it; undefined if that is not offered, or for a peer of the plain form. */
  readonly resumeToken: string | undefined;
  /** Remote address, for messages. */
  readonly remote: string;
}

/** Answers `connect`: checks version and access, negotiates capabilities and finds the connection to resume. */
export class HandshakeAcceptor {
  readonly #tokens = new ResumeTokens();

  constructor(private readonly options: AcceptOptions) {}

  /**
   * Resolves when `connected` was sent; the caller must listen on the link at once. Rejects if the peer is rejected.
   */
  async accept(link: Link, remote: string, admit: Admit): Promise<Accepted> {
    const { handshakeMs = HANDSHAKE_MS, onRefused } = this.options;
    const hello = await firstMessage(link, handshakeMs, onRefused);
    if (hello.type !== "connect") {
      throw new ProtocolError("not_connected", `\`${hello.type}\` came before \`connect\``, {
        hint: "send `connect` first",
      });
    }
    checkVersion(hello.protocol_version);
    const resumedId = hello.resume && this.#tokens.redeem(hello.resume)?.sessionId;
    this.#checkRole(hello);
    const { capabilities: ours, policy, about } = await admit(hello, resumedId);
    const theirs = hello.capabilities ?? {};
    const capabilities = agree(theirs, ours, this.options.expects === "agent" ? theirs : ours);
    const sessionId = resumedId ?? this.#tokens.newId();
    // A peer of the plain form would not know a resume token.
    const plain = hello.capabilities === undefined && hello.protocol_version === undefined;
    const resumable = this.options.resumable === true && !plain;
    const resumeToken = resumable ? this.#tokens.issue(sessionId) : undefined;
    link.tell({
      type: "connected",
      session_id: sessionId,
      protocol_version: PROTOCOL_VERSION,
      capabilities,
      ...(policy === undefined ? {} : { policy: { ...policy } }),
      server: { ...this.options.server, ...about },
      ...(resumeToken === undefined ? {} : { resume_token: resumeToken }),
      ...(resumedId === undefined ? {} : { resumed: true }),
    });
    link.encoding = encodingOf(capabilities);
    const resumed = resumedId !== undefined;
    return { link, hello, sessionId, capabilities, resumed, resumeToken, remote };
  }

  /** Ends a connection for good: it can no longer be resumed. */
  forget(sessionId: string): void {
    this.#tokens.forget(sessionId);
  }

  #checkRole({ role }: MessageOf<"connect">): void {
    const { expects } = this.options;
    // A peer of the plain form names no role.
    if (role === undefined || role === expects) return;
    throw new PeerError("bad_role", `expected the role ${expects}, received ${role}`);
  }
}

/** Sends the error and closes the link, with `otherwise` if the error has no close code of its own. */
export function refuse(link: Link, error: unknown, otherwise = 1002): void {
  const code = error instanceof RobotEvalError ? error.code : "internal_error";
  const message = errorMessage(error);
  link.tell({ type: "error", session_id: "", code, message, fatal: true });
  void link.close(CLOSE_CODES[code] ?? otherwise, code);
}

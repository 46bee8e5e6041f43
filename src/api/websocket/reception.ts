import { errorMessage, ProtocolError, RobotEvalError } from "../../core/errors.js";
import { type Capabilities, type MessageOf, PROTOCOL_VERSION } from "../messages/base.js";
import { agree, checkVersion, encodingOf } from "../messages/negotiate.js";
import { firstMessage } from "./handshake.js";
import type { Link } from "./link.js";
import { PeerError } from "./peer-error.js";
import { ResumeTokens } from "./secrets.js";

/** How long who dialled may take to say `connect`. */
const HANDSHAKE_MS = 10_000;

/** Close codes of RFC 6455 for each refusal; anything else is a breach of the protocol. */
const CLOSE_CODES: Readonly<Record<string, number>> = {
  unauthorized: 1008,
  version_mismatch: 1002,
  bad_role: 1008,
  busy: 1013,
};

export interface ReceptionOptions {
  /** Who may dial: policies, or evaluators. */
  readonly expects: "agent" | "evaluator";
  readonly server: { readonly name: string; readonly version?: string };
  /** Whether a broken connection may be taken up again; who owns it then calls `forget` when it is over. */
  readonly resumable?: boolean | undefined;
  readonly handshakeMs?: number | undefined;
}

/** What a dialler that is let in is told. */
export interface Admission {
  /** Our own; what both will use is worked out from these and the dialler's. */
  readonly capabilities: Capabilities;
  /** Stands beside the server's name in `connected`. */
  readonly about?: Readonly<Record<string, string>> | undefined;
}

/**
 * Lets a dialler in, or refuses it by throwing.
 *
 * @param taken the session of the connection that it takes up again, which it has proved to be its own
 */
export type Admit = (
  hello: MessageOf<"connect">,
  taken: string | undefined,
) => Admission | Promise<Admission>;

/** A connection whose handshake is done. */
export interface Accepted {
  readonly link: Link;
  readonly hello: MessageOf<"connect">;
  readonly sessionId: string;
  /** What both will use. */
  readonly capabilities: Capabilities;
  /** Takes up a connection that was accepted before under the same session id. */
  readonly resumed: boolean;
  /** By which it can be taken up; absent where that is not offered, or to a peer of the plain form. */
  readonly resumeToken: string | undefined;
  /** Where it comes from, for people. */
  readonly remote: string;
}

/** Answers `connect`: version, access, what both will use, which connection is taken up again. */
export class Reception {
  readonly #options: ReceptionOptions;
  readonly #tokens = new ResumeTokens();

  constructor(options: ReceptionOptions) {
    this.#options = options;
  }

  /** Resolves when `connected` was said; who calls takes the link over at once. Rejects for who is refused. */
  async welcome(link: Link, remote: string, admit: Admit): Promise<Accepted> {
    const hello = await firstMessage(link, this.#options.handshakeMs ?? HANDSHAKE_MS);
    if (hello.type !== "connect") {
      throw new ProtocolError("not_connected", `\`${hello.type}\` came before \`connect\``, {
        hint: "who dials says `connect` first",
      });
    }
    checkVersion(hello.protocol_version);
    const taken = hello.resume && this.#tokens.redeem(hello.resume)?.sessionId;
    this.#checkRole(hello);
    const { capabilities: ours, about } = await admit(hello, taken);
    const theirs = hello.capabilities ?? {};
    const capabilities = agree(theirs, ours, this.#options.expects === "agent" ? theirs : ours);
    const sessionId = taken ?? this.#tokens.newId();
    // Plain peers would not know what to do with a token.
    const plain = hello.capabilities === undefined && hello.protocol_version === undefined;
    const resumable = this.#options.resumable === true && !plain;
    const resumeToken = resumable ? this.#tokens.issue(sessionId) : undefined;
    link.tell({
      type: "connected",
      session_id: sessionId,
      protocol_version: PROTOCOL_VERSION,
      capabilities,
      server: { ...this.#options.server, ...about },
      ...(resumeToken === undefined ? {} : { resume_token: resumeToken }),
      ...(taken === undefined ? {} : { resumed: true }),
    });
    link.encoding = encodingOf(capabilities);
    const resumed = taken !== undefined;
    return { link, hello, sessionId, capabilities, resumed, resumeToken, remote };
  }

  /** A connection that is over for good: it can no longer be taken up. */
  forget(sessionId: string): void {
    this.#tokens.forget(sessionId);
  }

  #checkRole({ role }: MessageOf<"connect">): void {
    const { expects } = this.#options;
    if (role === expects) return;
    throw new PeerError("bad_role", `here ${expects}s are expected, and you are an ${role}`);
  }
}

/** Says why, and hangs up; with `otherwise` where the error has no close code of its own. */
export function refuse(link: Link, error: unknown, otherwise = 1002): void {
  const code = error instanceof RobotEvalError ? error.code : "internal_error";
  const message = errorMessage(error);
  link.tell({ type: "error", session_id: "", code, message, fatal: true });
  void link.close(CLOSE_CODES[code] ?? otherwise, code);
}

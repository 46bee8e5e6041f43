import { RobotEvalError } from "../../core/errors.js";
import type { MessageOf } from "../messages/base.js";
import { dial, retrying } from "../websocket/client.js";
import { type Hello, introduce } from "../websocket/handshake.js";
import type { Link } from "../websocket/link.js";
import { PeerError } from "../websocket/peer-error.js";
import { PolicyConnection } from "./connection.js";
import {
  type ConnectOptions,
  evaluatorCapabilities,
  type PolicySource,
  type SourceOptions,
  timesOf,
} from "./source.js";

interface Handshake {
  readonly link: Link;
  readonly connected: MessageOf<"connected">;
}

/** Dials a policy that listens, and dials again when a connection breaks. */
export class DialledPolicy implements PolicySource {
  readonly label: string;
  readonly #closing = new AbortController();

  constructor(
    url: string,
    private readonly options: SourceOptions,
  ) {
    this.label = url;
  }

  async connect(options: ConnectOptions): Promise<void> {
    this.#establish(await this.#handshake({ ...options, signal: this.#closing.signal }));
  }

  async close(): Promise<void> {
    this.#closing.abort(new PeerError("connection_closed", "the run has ended"));
  }

  async #handshake({
    timeoutMs,
    signal,
    resume,
    waitsForTurn = false,
  }: ConnectOptions & {
    readonly signal: AbortSignal;
    readonly resume?: Hello["resume"];
  }): Promise<Handshake> {
    let told = false;
    const onRetry = (why: PeerError) => {
      if (!told)
        this.options.hooks.onWait?.(`${why.describe()}\n  retrying for ${timeoutMs / 1000} s`);
      told = true;
    };
    const hello: Hello = {
      role: "evaluator",
      capabilities: evaluatorCapabilities(this.options),
      token: this.options.token,
      ...(resume ? { resume } : {}),
    };
    return retrying({ timeoutMs, signal, onRetry }, async (leftMs) => {
      const link = await dial(this.label, { timeoutMs: leftMs, signal, onRetry });
      try {
        return { link, connected: await introduce(link, hello, leftMs) };
      } catch (error) {
        hangUp(link, error);
        throw explained(error, this.label, { waitsForTurn });
      }
    });
  }

  #establish({ link, connected }: Handshake): void {
    const { session_id: sessionId, capabilities = {}, policy } = connected;
    const { resume_token: resumeToken } = connected;
    const connection = new PolicyConnection(
      this.label,
      { link, sessionId, capabilities, policy, resumeToken },
      timesOf(this.options.policy),
      {
        onChange: (changed) => this.options.hooks.onChange(changed),
        onDrop: (dropped, over) => void this.#dialAgain(dropped, over),
      },
    );
    this.options.hooks.onConnection(connection);
  }

  async #dialAgain(connection: PolicyConnection, over: AbortSignal): Promise<void> {
    const resume = {
      session_id: connection.sessionId,
      last_seq: connection.lastSeq,
      resume_token: connection.resumeToken,
    };
    try {
      // Longer than the connection's grace timer, which aborts this through the signal; equal times would race.
      const timeoutMs = 2 * timesOf(this.options.policy).grace + 1000;
      const again = await this.#handshake({ timeoutMs, signal: over, resume, waitsForTurn: true });
      if (again.connected.resumed && again.connected.session_id === connection.sessionId) {
        connection.adopt(again.link);
        return;
      }
      const what = "the policy was restarted and lost the running episodes";
      void connection.end(
        new PeerError("policy_lost", what, { where: this.label, transient: true }),
      );
      this.#establish(again);
    } catch (error) {
      // The connection has already ended, with a clearer error.
      if (over.aborted) return;
      void connection.end(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Sends the handshake error to the peer before closing. */
function hangUp(link: Link, error: unknown): void {
  if (error instanceof RobotEvalError && error.code === "version_mismatch") {
    const { code } = error;
    link.tell({ type: "error", session_id: "", code, message: error.describe(), fatal: true });
    void link.close(1002, code);
  } else {
    void link.close();
  }
}

/** Hints for the user, by the code with which a policy rejects the handshake. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthorized: "set the environment variable ROBOT_EVAL_POLICY_TOKEN to the policy's token",
  busy: "it serves one session at a time: run with --workers 1 and --concurrency 1, wait until other runs have ended, or serve a class, which has one object per session: serve(MyPolicy) instead of serve(MyPolicy())",
  version_mismatch: "update the older of the two",
};

/** Adds the policy's address and a hint to a handshake error. */
function explained(
  error: unknown,
  where: string,
  { waitsForTurn }: { readonly waitsForTurn: boolean },
): unknown {
  if (!(error instanceof PeerError)) return error;
  const { code, message, hint } = error;
  return new PeerError(code, REFUSED.has(code) ? `the policy refuses: ${message}` : message, {
    where: error.where ?? where,
    hint: REMEDIES[code] ?? hint,
    transient: error.transient || (code === "busy" && waitsForTurn),
    cause: error,
  });
}

const REFUSED: ReadonlySet<string> = new Set(Object.keys(REMEDIES));

import { type ErrorDetails, RobotEvalError } from "../../core/errors.js";

/** An error of a WebSocket connection, or of the peer at its other end. */
export class PeerError extends RobotEvalError {
  override readonly name: string = "PeerError";
  /** Whether another try may succeed: the policy is still starting, or the connection broke. */
  readonly transient: boolean;

  constructor(
    code: string,
    message: string,
    { transient = false, ...details }: ErrorDetails & { readonly transient?: boolean } = {},
  ) {
    super(code, message, details);
    this.transient = transient;
  }
}

/** Codes of attempts to connect that ended without an answer. */
const UNANSWERED: ReadonlySet<string> = new Set(["connect_timeout", "no_policy"]);

/** Code of the error of a policy that disconnected during a run and could not be reached again. */
export const POLICY_UNREACHABLE = "policy_unreachable";

/** The error of a failed reconnection as `policy_unreachable`, unless the policy answered and rejected it. */
export function goneBecause(error: unknown): unknown {
  if (!(error instanceof PeerError) || error.code === POLICY_UNREACHABLE) return error;
  if (!error.transient && !UNANSWERED.has(error.code)) return error;
  const { message, where, hint } = error;
  const what = `the policy disconnected and cannot be reached again: ${message}`;
  return new PeerError(POLICY_UNREACHABLE, what, { where, hint, transient: true, cause: error });
}

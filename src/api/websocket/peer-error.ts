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

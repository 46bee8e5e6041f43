import { type ErrorDetails, RobotEvalError } from "../../core/errors.js";

/** What goes wrong between us and whoever is at the other end of a WebSocket. */
export class PeerError extends RobotEvalError {
  override readonly name: string = "PeerError";
  /** Whether the same may go well a moment later: a policy that is still starting, a link that broke. */
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

import { RobotEvalError } from "../../core/errors.js";

/** A team asks for what it may not have. Its text is for the team, and holds nothing that is hidden. */
export class ChallengeError extends RobotEvalError {
  override readonly name: string = "ChallengeError";
}

/** A team has used up its submissions. */
export class QuotaError extends ChallengeError {
  override readonly name: string = "QuotaError";
}

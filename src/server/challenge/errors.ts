import { RobotEvalError } from "../../core/errors.js";

/** A team's request was rejected. The text is for the team and reveals nothing hidden. */
export class ChallengeError extends RobotEvalError {
  override readonly name: string = "ChallengeError";
}

/** A team has used up its submissions. */
export class QuotaError extends ChallengeError {
  override readonly name: string = "QuotaError";
}

/** The database is unreachable. The request had no effect, or its effect shows when the database is back. */
export function unavailable(): ChallengeError {
  return new ChallengeError("unavailable", "the server's database does not answer", {
    hint: "try again in a minute",
  });
}

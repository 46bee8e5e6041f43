import { HTTPException } from "hono/http-exception";
import { RobotEvalError } from "../../../core/errors.js";
import type { Problem } from "../../view/documents.js";
import { ChallengeError } from "../errors.js";

export type ProblemStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500;

/** By code, where it is another than 403: a team asks for what it may not have. */
const STATUS: Readonly<Record<string, ProblemStatus>> = {
  bad_request: 400,
  bad_address: 400,
  wrong_origin: 403,
  unauthorised: 401,
  unknown_address: 404,
  no_phase: 404,
  unknown_submission: 404,
  too_large: 413,
  too_many: 429,
};

/** Only what was written for teams is told; the rest is for the log. */
export function problemStatus(error: unknown): {
  readonly status: ProblemStatus;
  readonly problem: Problem;
} {
  if (error instanceof ChallengeError) {
    const { code, message, hint } = error;
    const problem = { code, message, where: null, hint: hint ?? null };
    return { status: STATUS[code] ?? 403, problem };
  }
  if (error instanceof HTTPException && error.status < 500) {
    const problem = {
      code: "bad_request",
      message: "not a proper request",
      where: null,
      hint: null,
    };
    return { status: 400, problem };
  }
  const message = "something went wrong here";
  return { status: 500, problem: { code: "internal", message, where: null, hint: null } };
}

export function unknownAddress(): ChallengeError {
  return new ChallengeError("unknown_address", "there is nothing at this address");
}

export function unauthorised(): ChallengeError {
  return new ChallengeError("unauthorised", "this asks for a team's token", {
    hint: "send Authorization: Bearer <token>; the organisers give it to teams",
  });
}

/** The same for one that is not there and for another team's: who asks learns nothing from the difference. */
export function unknownSubmission(): ChallengeError {
  return new ChallengeError("unknown_submission", "the team has no such submission");
}

export function badRequest(message: string, hint?: string): ChallengeError {
  return new ChallengeError("bad_request", message, { hint });
}

/** For the log: with what a stranger was not told. */
export function faultText(error: unknown): string {
  if (error instanceof RobotEvalError) return error.describe();
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

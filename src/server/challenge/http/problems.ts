import { HTTPException } from "hono/http-exception";
import type { z } from "zod";
import { isUnreachable } from "../../../cluster/database/when-reachable.js";
import { RobotEvalError } from "../../../core/errors.js";
import type { Problem } from "../../view/documents.js";
import { ChallengeError, unavailable } from "../errors.js";

export type ProblemStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 503;

/** HTTP status by error code. Default 403. */
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
  not_ready: 503,
  unavailable: 503,
};

/** Status and body for an error. Texts that were not written for teams are replaced. */
export function problemStatus(thrown: unknown): {
  readonly status: ProblemStatus;
  readonly problem: Problem;
} {
  const error = isUnreachable(thrown) ? unavailable() : thrown;
  if (error instanceof ChallengeError) {
    const { code, message, hint } = error;
    const problem = { code, message, where: null, hint: hint ?? null };
    return { status: STATUS[code] ?? 403, problem };
  }
  if (error instanceof HTTPException && error.status < 500) {
    const problem = {
      code: "bad_request",
      message: "the request is malformed",
      where: null,
      hint: null,
    };
    return { status: 400, problem };
  }
  const message = "internal error; the server's log has the details";
  return { status: 500, problem: { code: "internal", message, where: null, hint: null } };
}

export function unknownAddress(): ChallengeError {
  return new ChallengeError("unknown_address", "this address does not exist");
}

export function unauthorised(): ChallengeError {
  return new ChallengeError("unauthorised", "a team's token is required", {
    hint: "send Authorization: Bearer <token>; the organisers issue it",
  });
}

/** The same error for a submission that does not exist and for another team's, so that ids cannot be probed. */
export function unknownSubmission(): ChallengeError {
  return new ChallengeError("unknown_submission", "your team has no submission with this id");
}

export function badRequest(message: string, hint?: string): ChallengeError {
  return new ChallengeError("bad_request", message, { hint });
}

/** Validates a client's input. @throws ChallengeError `bad_request` with the first mistake */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badRequest(`${issue?.path.join(".") || "the request"}: ${issue?.message ?? "not valid"}`);
}

/** The full error text for the log. */
export function faultText(error: unknown): string {
  if (error instanceof RobotEvalError) return error.describe();
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

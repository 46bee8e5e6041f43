import { DataError, RobotEvalError } from "../../core/errors.js";
import type { Problem } from "./documents.js";

/** Codes of errors about missing things, with status 404; all others are about unreadable data. */
const MISSING = new Set([
  "unknown_run",
  "unknown_episode",
  "unknown_address",
  "no_picture",
  "no_positions",
]);

export function problemOf(error: unknown): Problem {
  if (error instanceof RobotEvalError) {
    const { code, message, where, hint } = error;
    return { code, message, where: where ?? null, hint: hint ?? null };
  }
  // Texts of internal errors are for the log, not for clients.
  return {
    code: "internal",
    message: "internal error; the server's log has the details",
    where: null,
    hint: null,
  };
}

export function statusOf(error: unknown): 400 | 404 | 422 | 500 {
  if (!(error instanceof RobotEvalError)) return 500;
  if (error.code === "bad_address") return 400;
  return MISSING.has(error.code) ? 404 : 422;
}

export function unknownAddress(address: string): DataError {
  return new DataError("unknown_address", "this address does not exist", { where: address });
}

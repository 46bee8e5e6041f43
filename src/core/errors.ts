/**
 * The one error family of the platform. It says what failed, where, and how to mend it; the command
 * line prints it without a stack and leaves with `exitCode`.
 *
 * Exit codes: 1 internal, 2 usage, configuration or data, 3 too many invalid episodes, 4 a check failed
 * (a threshold was missed, or what should be equal is not), 130 interrupted.
 */
export class RobotEvalError extends Error {
  override readonly name: string = "RobotEvalError";
  /** Stable, machine-readable: `unknown_metric`, `truncated_gzip`, ... */
  readonly code: string;
  /** A file, `file:line:column`, an episode and field: wherever the reader should look. */
  readonly where: string | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.where = details.where;
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? 2;
  }

  /** The whole story in a few lines, for people. */
  describe(): string {
    const place = this.where ? `${this.where}: ` : "";
    return `${place}${this.message}${this.hint ? `\n  hint: ${this.hint}` : ""}`;
  }
}

export interface ErrorDetails {
  readonly where?: string | undefined;
  readonly hint?: string | undefined;
  readonly exitCode?: number;
  readonly cause?: unknown;
}

/** The benchmark file, a flag or an API argument is wrong. */
export class ConfigError extends RobotEvalError {
  override readonly name: string = "ConfigError";
}

/** A dataset, submission, scene or run file is wrong. */
export class DataError extends RobotEvalError {
  override readonly name: string = "DataError";
}

/** A name is unknown or taken. */
export class RegistryError extends RobotEvalError {
  override readonly name: string = "RegistryError";
}

/** An action that the task's action space does not hold, or a message that breaks the protocol. */
export class ProtocolError extends RobotEvalError {
  override readonly name: string = "ProtocolError";
}

/** What an agent throws when no episode can go well: the run ends with it, instead of losing them one by one. */
export class StopRunError extends ConfigError {
  override readonly name: string = "StopRunError";
}

/** Any thrown value as a sentence, without its stack. */
export function errorMessage(error: unknown): string {
  if (error instanceof RobotEvalError) return error.describe();
  if (error instanceof Error) return error.message;
  return String(error);
}

/** The `code` that Node gives its errors (`ENOENT`, ...); undefined where there is none. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** How a value reads in an error: short, with its type visible. */
export function show(value: unknown, limit = 80): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  const text = asText(value);
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** What JSON cannot hold (a BigInt, a circle, a toJSON that throws) must not break the error about it. */
function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === "bigint" ? `${value}n` : Object.prototype.toString.call(value);
  }
}

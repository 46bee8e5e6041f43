import { cutLong, visibleJson } from "./text.js";

/** `PATH_MAX` of Linux; a location is never cut within a path. */
const LONGEST_PATH = 4096;

/**
 * Base class of the platform's errors: what failed, where, and how to fix it. The command line prints it
 * without a stack trace and exits with `exitCode`.
 *
 * Exit codes: 1 internal, 2 usage, configuration or data, 3 too many invalid episodes, 4 a check failed
 * (a threshold was missed, or values that should be equal differ), 130 interrupted.
 *
 * @example
 * try {
 *   loadConfig("missing.yaml");
 * } catch (error) {
 *   if (error instanceof RobotEvalError) console.error(error.describe());
 * }
 */
export class RobotEvalError extends Error {
  override readonly name: string = "RobotEvalError";
  /** The location of the problem: a file, `file:line:column`, or an episode and field. */
  readonly where: string | undefined;
  /** How to fix it. */
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(
    /** Stable, machine-readable: `unknown_metric`, `truncated_gzip`, ... */
    readonly code: string,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(cutLong(message), details.cause === undefined ? undefined : { cause: details.cause });
    this.where = details.where && cutLong(details.where, LONGEST_PATH);
    this.hint = details.hint && cutLong(details.hint);
    this.exitCode = details.exitCode ?? 2;
  }

  /** Location, message and hint, for people. */
  describe(): string {
    const location = this.where ? `${this.where}: ` : "";
    return `${location}${this.message}${this.hint ? `\n  hint: ${this.hint}` : ""}`;
  }
}

export interface ErrorDetails {
  readonly where?: string | undefined;
  readonly hint?: string | undefined;
  readonly exitCode?: number;
  readonly cause?: unknown;
}

/**
 * The benchmark file, a flag or an API argument is wrong.
 *
 * @example
 * throw new ConfigError("bad_limit", "the limit is 0", { where: "--limit", hint: "give 1 or more" });
 */
export class ConfigError extends RobotEvalError {
  override readonly name: string = "ConfigError";
}

/**
 * A dataset, submission, scene or run file is wrong.
 *
 * @example
 * throw new DataError("bad_line", "expected three columns", { where: "val.tsv:7" });
 */
export class DataError extends RobotEvalError {
  override readonly name: string = "DataError";
}

/**
 * A name is unknown or already registered.
 *
 * @example
 * try {
 *   getTask("vlm");
 * } catch (error) {
 *   if (error instanceof RegistryError) console.error(error.hint); // did you mean "vln"? ...
 * }
 */
export class RegistryError extends RobotEvalError {
  override readonly name: string = "RegistryError";
}

/**
 * An action is not in the task's action space, or a message violates the protocol.
 *
 * @example
 * const space = new ActionSpace({ name: "discrete", actions: ["stop"] });
 * try {
 *   space.parse("fly");
 * } catch (error) {
 *   if (error instanceof ProtocolError) console.error(error.code); // "bad_action"
 * }
 */
export class ProtocolError extends RobotEvalError {
  override readonly name: string = "ProtocolError";
}

/** Thrown by an agent when no episode can succeed. It ends the run, instead of failing every episode. */
export class StopRunError extends ConfigError {
  override readonly name: string = "StopRunError";
}

/** The message of any thrown value, without its stack trace. */
export function errorMessage(error: unknown): string {
  if (error instanceof RobotEvalError) return error.describe();
  if (error instanceof Error) return error.message;
  return String(error);
}

/** The `code` of an error of Node (`ENOENT`, ...); undefined if it has none. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** A value as text for an error message: short, with its type visible. */
export function show(value: unknown, limit = 80): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  const text = visibleJson(asText(value));
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Values that JSON cannot represent (a BigInt, a circular reference, a toJSON that throws) must not raise another error. */
function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === "bigint" ? `${value}n` : Object.prototype.toString.call(value);
  }
}

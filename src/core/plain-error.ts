import { ConfigError, DataError, ProtocolError, RegistryError, RobotEvalError } from "./errors.js";

/** An error in a form that crosses threads: structured clone drops its class and its fields. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The fields of a `RobotEvalError`. */
  readonly ours?: {
    readonly code: string;
    readonly where: string | undefined;
    readonly hint: string | undefined;
    readonly exitCode: number;
  };
}

const CLASSES = [ConfigError, DataError, ProtocolError, RegistryError];

export function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error)) {
    return { name: "Error", message: String(error), stack: undefined };
  }
  const { message, stack } = error;
  if (!(error instanceof RobotEvalError)) return { name: error.name, message, stack };
  const { code, where, hint, exitCode } = error;
  return { name: error.name, message, stack, ours: { code, where, hint, exitCode } };
}

export function fromPlainError({ name, message, stack, ours }: PlainError): Error {
  if (ours) {
    const { code, ...details } = ours;
    const Class = CLASSES.find((one) => one.name === name) ?? RobotEvalError;
    return new Class(code, message, details);
  }
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}

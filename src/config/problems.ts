import { ConfigError } from "../core/errors.js";
import { BadConfigError, type ConfigIssue } from "./issues.js";

/** Collects the errors of independent checks, so that they are reported together. */
export class ConfigProblems {
  readonly #errors: ConfigError[] = [];

  /** The result of a check, or undefined if it failed. An unexpected error after a failed check is its follow-up. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof ConfigError) this.#errors.push(error);
      else if (this.#errors.length === 0) throw error;
      return undefined;
    }
  }

  /** @throws the collected error, or one that lists all of them in the order of the file */
  throwAll(): void {
    const [only, ...others] = this.#errors;
    if (!only) return;
    if (others.length === 0) throw only;
    const [first, ...rest] = this.#errors.flatMap(issuesOf).sort(byLine);
    if (first) throw new BadConfigError([first, ...rest]);
  }
}

function issuesOf(error: ConfigError): readonly ConfigIssue[] {
  if (error instanceof BadConfigError) return error.issues;
  const { where = "", message, hint } = error;
  return [{ path: [], where, message, hint }];
}

/** Compares `file:line:column`; other places, such as `--set`, come last. */
function byLine(a: ConfigIssue, b: ConfigIssue): number {
  const [lineA, columnA] = lineOf(a);
  const [lineB, columnB] = lineOf(b);
  return lineA === lineB ? columnA - columnB : lineA - lineB;
}

function lineOf({ where }: ConfigIssue): readonly [line: number, column: number] {
  const [, line, column] = /:(\d+):(\d+)$/.exec(where) ?? [];
  return line === undefined ? [Number.MAX_SAFE_INTEGER, 0] : [Number(line), Number(column)];
}

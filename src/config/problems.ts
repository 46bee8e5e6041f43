import { ConfigError, DataError, type RobotEvalError } from "../core/errors.js";
import { BadConfigError, type ConfigIssue } from "./issues.js";

/** Collects the errors of independent checks, so that they are reported together. */
export class ConfigProblems {
  readonly #errors: RobotEvalError[] = [];

  /** The result of a check, or undefined if it failed. An unexpected error after a failed check is its follow-up. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#keep(error);
      return undefined;
    }
  }

  /** `attempt` of a check that reads files. */
  async attemptAsync<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#keep(error);
      return undefined;
    }
  }

  get isEmpty(): boolean {
    return this.#errors.length === 0;
  }

  /** Tasks share sections, so that each of them may find the same problem. It is kept once. */
  add(error: RobotEvalError): void {
    const isKnown = this.#errors.some(
      ({ message, where }) => message === error.message && where === error.where,
    );
    if (!isKnown) this.#errors.push(error);
  }

  #keep(error: unknown): void {
    if (error instanceof ConfigError || error instanceof DataError) this.add(error);
    else if (this.isEmpty) throw error;
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

function issuesOf(error: RobotEvalError): readonly ConfigIssue[] {
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

import { ConfigError, show } from "../core/errors.js";
import { type ConfigPath, YamlSource } from "./source.js";

export interface Assignment {
  readonly path: ConfigPath;
  readonly value: unknown;
  /** `--set path`: the place of errors about the value. */
  readonly where: string;
}

const EXAMPLE = "write it as --set evaluation.max_steps=100";

/** Parses a path of keys and list indices separated by dots, and a YAML value. */
export function parseAssignment(text: string): Assignment {
  const equals = text.indexOf("=");
  if (equals < 0) throw badSet(`${show(text)} has no "="`, "--set", EXAMPLE);
  const left = text.slice(0, equals).trim();
  const where = `--set ${left}`;
  const path = left.split(".");
  if (left === "" || path.includes("")) {
    const what = left === "" ? "there is no path before the =" : "the path has an empty part";
    throw badSet(`${show(text)}: ${what}`, "--set", EXAMPLE);
  }
  const right = text.slice(equals + 1);
  if (right.trim() === "") {
    const hint = `for an empty text write --set '${left}=""', for nothing --set ${left}=null`;
    throw badSet("there is no value after the =", where, hint);
  }
  return { path, value: parseValue(right, where), where };
}

function parseValue(text: string, where: string): unknown {
  try {
    return new YamlSource(text, where).toPlain();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw badSet(`the value is not YAML: ${error.message}`, where, error.hint, error);
  }
}

/** Applies the assignments in order to a copy of `document`; creates missing mappings and lists. */
export function applyAssignments(
  document: Readonly<Record<string, unknown>>,
  assignments: readonly Assignment[],
): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>;
  for (const assignment of assignments) assign(copy, assignment);
  return copy;
}

function assign(document: Record<string, unknown>, { path, value, where }: Assignment): void {
  let container: unknown = document;
  for (const [i, step] of path.entries()) {
    const key = String(step);
    const here = path.slice(0, i).join(".");
    if (!isContainer(container)) {
      const problem = `${here} is ${show(container)}, which cannot contain "${key}"`;
      throw badSet(problem, where, `to replace it as a whole, write --set ${here}=...`);
    }
    if (Array.isArray(container)) checkIndex(container, key, here, where);
    const last = i === path.length - 1;
    const existing: unknown = Object.hasOwn(container, key)
      ? Reflect.get(container, key)
      : undefined;
    // Build on a key without a value. Index 0 starts a new list.
    const next = last ? structuredClone(value) : (existing ?? (path[i + 1] === "0" ? [] : {}));
    // Define instead of assign, so that `__proto__` in a path is an ordinary key.
    Object.defineProperty(container, key, {
      value: next,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    container = next;
  }
}

function checkIndex(list: readonly unknown[], key: string, here: string, where: string): void {
  const index = /^(0|[1-9]\d*)$/.test(key) ? Number(key) : Number.NaN;
  if (index <= list.length) return;
  const problem = Number.isNaN(index)
    ? `${here} is a list, and "${key}" is not an index`
    : `${here} has ${list.length} item${list.length === 1 ? "" : "s"}, so index ${key} would leave a gap`;
  const hint = `an index is 0 to ${list.length}, where ${list.length} adds an item`;
  throw badSet(problem, where, hint);
}

function badSet(
  problem: string,
  where: string,
  hint: string | undefined,
  cause?: unknown,
): ConfigError {
  return new ConfigError("bad_set", problem, { where, hint, cause });
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

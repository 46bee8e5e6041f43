import type { z } from "zod";
import { ConfigError, show } from "../core/errors.js";
import { suggestion } from "../core/registry.js";
import { expectation, keysOf, schemaAt } from "./expectation.js";
import { type JsonSchema, toJsonSchema } from "./json-schema.js";
import type { ConfigPath } from "./source.js";

/** A problem at a path of a document, without its line. */
export interface Finding {
  readonly path: ConfigPath;
  /** The problem without the path: `expected a string, got 12`. */
  readonly problem: string;
  readonly hint?: string | undefined;
  /** Whether the key is wrong (unknown, unpaired) or, by default, its value. */
  readonly at?: "key" | "value";
  readonly kind?: "unknown" | "missing";
}

/** A finding with its line. */
export interface ConfigIssue {
  readonly path: ConfigPath;
  /** `file:line:column`, or `--set path` for a value from the command line. */
  readonly where: string;
  readonly message: string;
  readonly hint: string | undefined;
}

const MOST_SHOWN = 20;

/** All problems of a file, so that they can be fixed at once. */
export class BadConfigError extends ConfigError {
  constructor(readonly issues: readonly [ConfigIssue, ...ConfigIssue[]]) {
    const [first, ...rest] = issues;
    // The printed form puts the error's hint last. With several issues, each keeps its own hint.
    super("bad_config", rest.length === 0 ? first.message : listed(first, rest), {
      where: first.where,
      hint: rest.length === 0 ? first.hint : undefined,
    });
  }
}

function listed(first: ConfigIssue, rest: readonly ConfigIssue[]): string {
  const shown = rest.slice(0, MOST_SHOWN - 1);
  const left = rest.length - shown.length;
  return [
    first.message,
    ...hintLine(first),
    `and ${rest.length} more:`,
    ...shown.flatMap((issue) => [`${issue.where}: ${issue.message}`, ...hintLine(issue)]),
    ...(left > 0 ? [`(${left} not shown)`] : []),
  ].join("\n");
}

function hintLine({ hint }: ConfigIssue): string[] {
  return hint === undefined ? [] : [`  hint: ${hint}`];
}

/** Marks an issue without a custom message in the schema. */
const NO_MESSAGE = "\u0000";

/**
 * Checks `value`; paths in the findings start with `base`. `json` is called only if there are findings and returns the
 * schema for their texts.
 */
export function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
  options: { readonly base?: ConfigPath; readonly json?: () => JsonSchema } = {},
): { readonly data: T } | { readonly findings: readonly Finding[] } {
  const result = schema.safeParse(value, { error: () => NO_MESSAGE });
  if (result.success) return { data: result.data };
  const json = options.json?.() ?? toJsonSchema(schema);
  const findings = result.error.issues.flatMap((issue) => explain(issue, value, json));
  const base = options.base ?? [];
  return {
    findings: withoutFollowUps(findings).map((f) => ({ ...f, path: [...base, ...f.path] })),
  };
}

function explain(issue: z.core.$ZodIssue, root: unknown, json: JsonSchema): Finding[] {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  const schema = schemaAt(json, path);
  const meant = issue.code === "invalid_union" ? likeliest(issue.errors) : undefined;
  if (meant) {
    return meant.flatMap((one) => explain({ ...one, path: [...path, ...one.path] }, root, json));
  }
  if (issue.code === "unrecognized_keys") {
    const valid = keysOf(schema);
    return issue.keys.map((key) => ({
      path: [...path, key],
      problem: "unknown key",
      hint: suggestion(key, valid),
      at: "key",
      kind: "unknown",
    }));
  }
  const value = valueAt(root, path);
  if (value === undefined) return [missing(path, schema, issue.message)];
  if (schema?.not) {
    return [{ path, problem: "not allowed here", hint: schema.description, at: "key" }];
  }
  const problem = issue.message === NO_MESSAGE ? wrong(value, schema) : own(issue.message, value);
  return [{ path, problem, hint: remedy(value, schema) }];
}

/**
 * Reports the problems of the alternative that was probably meant: the one that matches the value's type and most of
 * its keys, and then the one that parses farthest. Undefined if the value matches none of their types.
 */
function likeliest(
  forms: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | undefined {
  const candidates = forms.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys"),
  );
  const unknownKeys = (issues: readonly z.core.$ZodIssue[]) =>
    issues.reduce((sum, one) => sum + (one.code === "unrecognized_keys" ? one.keys.length : 0), 0);
  const depth = (issues: readonly z.core.$ZodIssue[]) =>
    Math.max(...issues.map((issue) => issue.path.length));
  return candidates.sort((a, b) => unknownKeys(a) - unknownKeys(b) || depth(b) - depth(a))[0];
}

function missing(path: ConfigPath, schema: JsonSchema | undefined, message: string): Finding {
  const key = path.at(-1) ?? "";
  const what = [schema && expectation(schema), schema?.description].filter(Boolean).join(": ");
  return {
    path,
    problem: message === NO_MESSAGE ? "missing" : message,
    hint: `add \`${key}:\`${what ? ` (${what})` : ""}`,
    kind: "missing",
  };
}

function wrong(value: unknown, schema: JsonSchema | undefined): string {
  if (schema?.enum && typeof value === "string") return `${show(value)} is not a valid value`;
  const expected = schema && expectation(schema, value);
  return expected === undefined
    ? `not valid, got ${got(value)}`
    : `expected ${expected}, got ${got(value)}`;
}

/** A schema's custom message; adds the value unless the message quotes it. */
function own(message: string, value: unknown): string {
  const shown = got(value);
  return message.includes(shown) ? message : `${message}, got ${shown}`;
}

function got(value: unknown): string {
  return value === null ? "nothing" : show(value);
}

function remedy(value: unknown, schema: JsonSchema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  if (schema.enum) return suggestion(String(value), schema.enum.map(String));
  const isAlso = (type: string) =>
    [schema, ...(schema.anyOf ?? [])].some((one) => one.type === type);
  if (value === null) {
    return isAlso("object")
      ? "the key has no value: indent its settings under it, write {} for an empty mapping, or remove it"
      : "the key has no value: fill it in or remove it";
  }
  if (value === true && isAlso("object")) return "write {} to use its defaults";
  if (schema.type === "string" && typeof value !== "string") {
    return typeof value === "object"
      ? "text with brackets, or with a colon and a space in it, needs quotes"
      : "put it in quotes to make it text";
  }
  if (typeof value === "string") {
    const numeric = schema.type === "number" || schema.type === "integer";
    if (numeric && value.trim() !== "" && Number.isFinite(Number(value))) {
      return `remove the quotes: ${value.trim()}`;
    }
    if (isAlso("boolean")) return "YAML reads yes, no, on and off as text";
    if (schema.type === "array") return `a list of one is written [${value}]`;
  }
  return schema.description;
}

/** Drops follow-up findings: a misspelt key also leaves the right one missing. */
function withoutFollowUps(findings: readonly Finding[]): Finding[] {
  const unknown = findings.filter((f) => f.kind === "unknown");
  return findings.filter(
    (f) => f.kind !== "missing" || !unknown.some((u) => siblings(u, f) && alike(u, f)),
  );
}

function siblings(a: Finding, b: Finding): boolean {
  return (
    a.path.length === b.path.length &&
    a.path.slice(0, -1).every((step, i) => String(step) === String(b.path[i]))
  );
}

function alike(a: Finding, b: Finding): boolean {
  return isNear(String(a.path.at(-1)), String(b.path.at(-1)));
}

/** True if "did you mean" would suggest `word` for `name`. */
export function isNear(name: string, word: string): boolean {
  return suggestion(name, [word]).startsWith("did you mean");
}

export function valueAt(root: unknown, path: ConfigPath): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

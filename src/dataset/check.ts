import { type ZodType, z } from "zod";
import { DataError, show } from "../core/errors.js";
import { isRecord } from "../core/record.js";

/** The location of a piece of data, for error messages. */
export interface DataLocation {
  readonly file: string;
  /** Position within the file: `episodes[3]`, `line 12`. */
  readonly item: string;
  /** The episode, once known: `episode 37`. */
  readonly subject?: string | undefined;
  /** The entry as the file writes it, to quote integers that are rounded when they are parsed. */
  readonly text?: string | undefined;
}

export function whereOf({ file, item }: DataLocation): string {
  return `${file}, ${item}`;
}

/** Larger whole numbers are rounded when JSON is parsed, so that two ids could become one. */
export const ROUNDED_ID = `expected a string for an id above ${Number.MAX_SAFE_INTEGER}, which is rounded as a number`;

/** Some files write ids as numbers, others as text. Both become text. */
export const idSchema = z
  .union(
    [
      z.string().min(1),
      z.int({
        error: ({ code }) => (code === "too_big" || code === "too_small" ? ROUNDED_ID : undefined),
      }),
    ],
    { error: "expected a whole number or a string" },
  )
  .transform(String);

/** Names an entry by its id, as the file writes it: `episode 37`; undefined if it has none. */
export function subjectOf(
  entry: unknown,
  key: string,
  text?: string,
  noun = "episode",
): string | undefined {
  if (!isRecord(entry) || !Object.hasOwn(entry, key)) return undefined;
  const id = entry[key];
  return `${noun} ${typeof id === "string" ? id : asWritten(id, key, text)}`;
}

/** A value for a message. Integers above 2^53 are quoted from the text of their entry, if it is known. */
export function asWritten(value: unknown, key: PropertyKey | undefined, text?: string): string {
  if (text !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    for (const [, name, digits] of text.matchAll(WHOLE_MEMBER)) {
      if (name === key && Number(digits) === value) return String(digits);
    }
  }
  return show(value);
}

/** A member of an object that is a whole number: `"episode_id": 9007199254740993`. */
const WHOLE_MEMBER = /"(\w+)"\s*:\s*(-?\d+)(?![\d.eE])/g;

/** An error about the data at a location: `episode 37, actions[2]: <problem>`. */
export function errorAt(
  at: DataLocation,
  code: string,
  problem: string,
  { field, hint }: { readonly field?: string | undefined; readonly hint?: string | undefined } = {},
): DataError {
  const place = [at.subject, field].filter((part) => part !== undefined).join(", ");
  const message = place === "" ? problem : `${place}: ${problem}`;
  return new DataError(code, message, { where: whereOf(at), hint });
}

/** Parses, or throws a DataError that names the file, the episode, the field and the value. */
export function check<T>(schema: ZodType<T>, raw: unknown, at: DataLocation): T {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  let value = raw;
  for (const key of path) value = (value as Readonly<Record<PropertyKey, unknown>>)?.[key];
  const problem = `${issue?.message ?? "not as expected"}, got ${asWritten(value, path.at(-1), at.text)}`;
  throw errorAt(at, "bad_episode", problem, { field: path.join(".") || undefined });
}

/** The error for a file whose content has another structure than its format. */
export function otherLayout(file: string, wanted: string, found: string): DataError {
  return new DataError("bad_dataset", `expected ${wanted}, got ${found}`, {
    where: file,
    hint: "check that the file is of the expected format",
  });
}

/** Summarises a value without printing a whole dataset. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return `an object with the keys ${show(Object.keys(value))}`;
  return show(value);
}

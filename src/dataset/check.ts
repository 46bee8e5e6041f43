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
}

export function whereOf({ file, item }: DataLocation): string {
  return `${file}, ${item}`;
}

/** Some files write ids as numbers, others as text. Both become text. */
export const idSchema = z
  .union([z.string().min(1), z.int()], { error: "expected a whole number or a string" })
  .transform(String);

/** Parses, or throws a DataError that names the file, the episode, the field and the value. */
export function check<T>(schema: ZodType<T>, raw: unknown, place: DataLocation): T {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  let value = raw;
  for (const key of path) value = (value as Readonly<Record<PropertyKey, unknown>>)?.[key];
  const field = path.length > 0 ? `${path.join(".")}: ` : "";
  const subject = place.subject === undefined ? "" : `${place.subject}, `;
  throw new DataError(
    "bad_episode",
    `${subject}${field}${issue?.message ?? "not as expected"}, got ${show(value)}`,
    { where: whereOf(place) },
  );
}

export function checkArray(value: unknown, file: string, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new DataError("bad_dataset", `expected a list of ${what}, got ${describe(value)}`, {
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

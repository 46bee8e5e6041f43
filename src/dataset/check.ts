import { type ZodType, z } from "zod";
import { DataError, show } from "../core/errors.js";
import { isRecord } from "../core/record.js";

/** Where in which file a piece of data stands, for errors. */
export interface DataPlace {
  readonly file: string;
  /** Within the file: `episodes[3]`, `line 12`. */
  readonly item: string;
  /** The episode, once it is known: `episode 37`. */
  readonly subject?: string | undefined;
}

export function whereOf({ file, item }: DataPlace): string {
  return `${file}, ${item}`;
}

/** Ids are numbers in some files and text in others; ours are text. */
export const idSchema = z
  .union([z.string().min(1), z.int()], { error: "expected a whole number or a text" })
  .transform(String);

/** Parses, or throws a DataError that names the file, the episode, the field and the value. */
export function check<T>(schema: ZodType<T>, raw: unknown, place: DataPlace): T {
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
    hint: "is it a file of another format?",
  });
}

/** What a value is, without writing out a whole dataset. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return `an object with the keys ${show(Object.keys(value))}`;
  return show(value);
}

import { randomBytes } from "node:crypto";
import { styleText } from "node:util";
import { cutLong, oneLine, visible, visibleJson } from "../core/text.js";

/**
 * Marks the escape characters of our own colours until a text is printed. It is random, so any other escape in a text
 * is untrusted and printed visibly.
 */
const ESCAPE_MARK = `<${randomBytes(8).toString("hex")}>`;
const MARKED_STYLE = new RegExp(`${ESCAPE_MARK}\\[[\\d;]*m`, "g");

/** Prints data to stdout; text for people goes to stderr. */
export function printData(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** Prints exactly one JSON document. Escapes control characters, which changes no value. */
export function printJson(document: unknown): void {
  process.stdout.write(`${visibleJson(JSON.stringify(document, null, 2))}\n`);
}

/** Prints a command's result: the document with `--json`, otherwise its text. */
export function printResult<T>(
  json: boolean | undefined,
  document: T,
  textOf: (document: T) => string,
): void {
  if (json) printJson(document);
  else printData(textOf(document));
}

export function say(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Makes a text safe for a terminal: keeps only the escapes of our own colours. */
export function printable(text: string): string {
  return visible(text).replaceAll(ESCAPE_MARK, "\u001b");
}

type Style = Parameters<typeof styleText>[0];

/** Colours one line if the stream is a terminal and NO_COLOR is not set. Print it with `printData` or `say`. */
export function paint(
  style: Style,
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  // A coloured text may contain coloured parts, whose marks are not control characters.
  const line = oneLine(text);
  if (!stream.isTTY || process.env.NO_COLOR) return line;
  // `styleText` would check stdout even if the text goes to stderr.
  const styled = styleText(style, line, { validateStream: false });
  return styled.replaceAll("\u001b", ESCAPE_MARK);
}

/** Formats rows in aligned columns, numbers to the right. */
export function table(header: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => oneLine(cutLong(cell))));
  const widths = header.map((title, i) =>
    Math.max(width(title), ...rows.map((row) => width(row[i] ?? ""))),
  );
  const numeric = header.map((_, i) => rows.every((row) => /^[-+\d.]|^–$|^$/.test(row[i] ?? "")));
  const line = (cells: readonly string[]) =>
    widths
      .map((columns, i) => {
        const cell = cells[i] ?? "";
        const fill = " ".repeat(columns - width(cell));
        return numeric[i] ? fill + cell : cell + fill;
      })
      .join("  ")
      .trimEnd();
  return [paint("bold", line(header)), ...rows.map(line)].join("\n");
}

/** Columns of a text on a terminal: colours take none, East Asian wide characters two. */
function width(text: string): number {
  let columns = 0;
  for (const char of text.replace(MARKED_STYLE, ""))
    columns += /\p{Script=Han}|[\u3000-\u30ff\uff00-\uff60]/u.test(char) ? 2 : 1;
  return columns;
}

/** Prints notes to stderr, and how many more there are. */
export function sayNotes(notes: readonly string[], most: number): void {
  for (const note of notes.slice(0, most)) say(`note: ${note}`);
  if (notes.length > most) say(`note: and ${notes.length - most} more (--json)`);
}

import { stripVTControlCharacters, styleText } from "node:util";

/** Data goes to stdout, words for people to stderr. */
export function printData(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Exactly one JSON document. */
export function printJson(document: unknown): void {
  printData(JSON.stringify(document, null, 2));
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

type Style = Parameters<typeof styleText>[0];

/** Colour where a person looks and has not asked for none. */
export function paint(
  style: Style,
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  if (!stream.isTTY || process.env.NO_COLOR) return text;
  // Asked to look for itself, styleText looks at stdout, whatever the text is for.
  return styleText(style, text, { validateStream: false });
}

/** Rows in aligned columns; numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
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

/** Columns a text takes in a terminal: colours take none, East Asian wide characters two. */
function width(text: string): number {
  let columns = 0;
  for (const char of stripVTControlCharacters(text))
    columns += /\p{Script=Han}|[\u3000-\u30ff\uff00-\uff60]/u.test(char) ? 2 : 1;
  return columns;
}

/** A number as people read it: whole ones bare, others with four significant places. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) && Math.abs(value) >= 10) return String(value);
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toFixed(3);
}

/** Longest text of a cell. */
const LONGEST_TEXT = 300;

/** A table in GitHub's Markdown. Cells are Markdown: escape texts with `md`. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Escapes text for one line of a Markdown table: no mark-up, HTML or cell separators. */
export function md(text: unknown): string {
  const whole = String(text ?? "");
  const short = whole.length > LONGEST_TEXT ? `${whole.slice(0, LONGEST_TEXT)}…` : whole;
  return (
    short
      .replace(/\s+/g, " ")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      // Markdown does not treat underscores inside a word as emphasis.
      .replace(/[\\`*[\]#|~@$]|(?<!\w)_|_(?!\w)/g, (char) => `&#${char.charCodeAt(0)};`)
  );
}

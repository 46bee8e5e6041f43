/** A fenced block of code. */
export interface CodeBlock {
  /** The info string of the opening fence: `yaml benchmark`. */
  readonly info: string;
  readonly text: string;
  /** Line of the opening fence. */
  readonly line: number;
}

/** A table row keyed by column header. */
export type Row = Readonly<Record<string, string>>;

/** The parts of a Markdown page that the documentation tests check. */
export class Page {
  readonly blocks: readonly CodeBlock[];
  /** The page without its code blocks. */
  readonly prose: string;

  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    const fence = /^```([^\n]*)\n([\s\S]*?)^```$/gm;
    this.blocks = [...text.matchAll(fence)].map(({ 1: info = "", 2: code = "", index }) => ({
      info: info.trim(),
      text: code,
      line: text.slice(0, index).split("\n").length,
    }));
    this.prose = text.replace(fence, "");
  }

  /** Code blocks and inline code. */
  get code(): string {
    const spans = [...this.prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
    return [...this.blocks.map((block) => block.text), ...spans].join("\n");
  }

  /** Targets of links and images outside code spans. */
  get links(): string[] {
    const withoutCode = this.prose.replace(/`[^`\n]*`/g, "code");
    const targets = withoutCode.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g);
    return [...targets].map((match) => match[1] ?? match[2] ?? "");
  }

  /** Anchors of the headings as GitHub generates them. */
  get anchors(): string[] {
    return [...this.prose.matchAll(/^#{1,6} (.+)$/gm)].map((match) => slug(match[1] ?? ""));
  }

  /** From a heading to the next one of the same or a higher level. */
  section(anchor: string): string {
    const lines = this.text.split("\n");
    const start = lines.findIndex(
      (line) => /^#+ /.test(line) && slug(line.replace(/^#+ /, "")) === anchor,
    );
    const level = /^#+/.exec(lines[start] ?? "")?.[0].length ?? 0;
    const after = lines.slice(start + 1);
    const end = after.findIndex((line) => (/^#+(?= )/.exec(line)?.[0].length ?? 7) <= level);
    return after.slice(0, end === -1 ? undefined : end).join("\n");
  }

  /** The n-th table of a section. */
  table(heading: string, n = 0): Row[] {
    const tables = this.section(slug(heading)).match(/(?:^\|.*\n?)+/gm) ?? [];
    const [header = "", , ...rows] = (tables[n] ?? "").trim().split("\n");
    const titles = cells(header);
    return rows.map((row) =>
      Object.fromEntries(cells(row).map((cell, i) => [titles[i] ?? "", cell])),
    );
  }
}

function cells(row: string): string[] {
  return row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

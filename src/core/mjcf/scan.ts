/** A tag of an MJCF text and its location. */
export interface MjcfTag {
  readonly tag: string;
  /** `empty` is a self-closing tag such as `<geom/>`. */
  readonly kind: "open" | "close" | "empty";
  /** Values are unescaped. */
  readonly attributes: Readonly<Record<string, string>>;
  /** From 1. */
  readonly line: number;
  /** Offsets of its `<` and of the character after its `>`. */
  readonly start: number;
  readonly end: number;
}

/** Comments and other non-elements, which are skipped with their content. */
const SKIPPED: readonly (readonly [begin: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
];

/** MuJoCo's parser requires no space between two attributes. */
const TAG =
  /<(\/?)([A-Za-z_][\w.:-]*)((?:(?:\s+|(?<=["'])\s*)[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * The tags of an MJCF document in order, for finding the files it references. It does not validate: text that
 * is not a tag is skipped, and MuJoCo reports malformed XML.
 */
export function scanMjcf(text: string): readonly MjcfTag[] {
  const tags: MjcfTag[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped) {
      const end = text.indexOf(skipped[1], at + skipped[0].length);
      if (end < 0) break;
      at = end + skipped[1].length;
      continue;
    }
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    if (!match) {
      at++;
      continue;
    }
    for (; counted < at; counted++) if (text[counted] === "\n") line++;
    const [whole, slash, tag = "", attributes = "", empty] = match;
    const end = at + whole.length;
    const kind = slash ? "close" : empty ? "empty" : "open";
    tags.push({ tag, kind, attributes: readAttributes(attributes), line, start: at, end });
    at = end;
  }
  return tags;
}

/**
 * Start and end offsets of the elements of a name, including their content. Assumes that they are not nested in
 * each other, as is true of MJCF's sections.
 */
export function elementsNamed(
  tags: readonly MjcfTag[],
  name: string,
): readonly { readonly start: number; readonly end: number }[] {
  return tags.flatMap((tag, i) => {
    if (tag.tag !== name || tag.kind === "close") return [];
    const last =
      tag.kind === "empty"
        ? tag
        : tags.slice(i).find((other) => other.tag === name && other.kind === "close");
    return last ? [{ start: tag.start, end: last.end }] : [];
  });
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(text.matchAll(ATTRIBUTE), ([, name = "", double, single]) => [
      name,
      unescaped(double ?? single ?? ""),
    ]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function unescaped(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

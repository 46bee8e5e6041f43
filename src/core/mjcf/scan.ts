/** A tag of an MJCF text, where it stands. */
export interface MjcfTag {
  readonly tag: string;
  /** `empty` is `<geom/>`, both at once. */
  readonly kind: "open" | "close" | "empty";
  /** As written, but for entities. */
  readonly attributes: Readonly<Record<string, string>>;
  /** From 1. */
  readonly line: number;
  /** Offsets in the text, of its `<` and after its `>`. */
  readonly start: number;
  readonly end: number;
}

/** What is no element is passed over whole, so that nothing within a comment counts. */
const PASSED: readonly (readonly [begin: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
];

const TAG =
  /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * The tags of an MJCF document in their order. It finds what a document refers to and judges nothing: whether
 * the XML is well formed and means something is MuJoCo's to say, so what cannot be read is passed over.
 */
export function scanMjcf(text: string): readonly MjcfTag[] {
  const tags: MjcfTag[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const passed = PASSED.find(([begin]) => text.startsWith(begin, at));
    if (passed) {
      const end = text.indexOf(passed[1], at + passed[0].length);
      if (end < 0) break;
      at = end + passed[1].length;
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
 * Where the elements of a name begin and end, with all that is in them. Elements of that name are taken not to
 * hold others of it, as MJCF's sections do not.
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

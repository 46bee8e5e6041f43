/**
 * Control characters: C0 and C1 controls, DEL, line and paragraph separators, bidirectional formatting characters
 * (CVE-2021-42574) and lone surrogates. PostgreSQL rejects NUL and lone surrogates; terminals execute escape
 * sequences.
 */
const CONTROL = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Whether a text contains control characters. */
export function hasControl(text: string): boolean {
  // `search`, because `test` of a global pattern depends on `lastIndex`.
  return text.search(CONTROL) !== -1;
}

/**
 * Untrusted text as one line that is safe to store and show: every control character becomes U+FFFD, and a text of
 * more than `most` UTF-16 units is truncated with an ellipsis. Idempotent.
 */
export function cleanText(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, Math.max(0, most - 1))}…` : text;
  return cut.replace(CONTROL, "\ufffd");
}

/** `cleanText` that keeps line feeds and tabs. */
export function cleanLines(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, Math.max(0, most - 1))}…` : text;
  return cut.replace(CONTROL, (char) => (char === "\n" || char === "\t" ? char : "\ufffd"));
}

const SHOWN_OF_WORD = 80;
const LONGEST_WORD = 500;
const LONGEST_TEXT = 20_000;

/**
 * A message without the excess of the names that it quotes, because ids of a dataset may have any length. Long words
 * are cut first, which keeps the text after them; a text that is still too long keeps its start and its end.
 */
export function cutLong(text: string, longestWord = LONGEST_WORD): string {
  if (text.length <= longestWord) return text;
  const cut = text.replace(/\S+/g, (word) => {
    if (word.length <= longestWord) return word;
    const [punctuation = ""] = /[,;:]?$/.exec(word) ?? [];
    return `${word.slice(0, SHOWN_OF_WORD)}…${punctuation}`;
  });
  if (cut.length <= LONGEST_TEXT) return cut;
  return `${cut.slice(0, LONGEST_TEXT / 2)}…${cut.slice(-LONGEST_TEXT / 2)}`;
}

/** Applies `cleanText` to all strings and field names of a value. For small untrusted documents. */
export function cleanStrings(value: unknown, most: number): unknown {
  if (typeof value === "string") return cleanText(value, most);
  if (Array.isArray(value)) return value.map((one) => cleanStrings(one, most));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([k, v]) => [cleanText(k, most), cleanStrings(v, most)]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Text for terminals: control characters except line feed and tab are escaped, as in `\x1b[2J`. */
export function visible(text: string): string {
  return text.replace(CONTROL, (char) => (char === "\n" || char === "\t" ? char : escaped(char)));
}

/** `visible` that also escapes line feeds and tabs, for untrusted text that must stay on one line. */
export function oneLine(text: string): string {
  return text.replace(CONTROL, escaped);
}

/** Escapes the control characters that JSON.stringify leaves in strings. */
export function visibleJson(json: string): string {
  // Line feeds are those of pretty-printing; inside strings they are already escaped.
  return json.replace(CONTROL, (char) => (char === "\n" ? char : unicode(char)));
}

function escaped(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\t") return "\\t";
  const code = char.charCodeAt(0);
  return code > 0xff ? unicode(char) : `\\x${code.toString(16).padStart(2, "0")}`;
}

function unicode(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

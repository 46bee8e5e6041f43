/**
 * Sentences in documents (explanations, formulas, problems) are in English. They are translated by templates of the
 * sentences that the code can produce.
 *
 *   {n}        one letter: a number
 *   {target}   any text without a comma or semicolon, copied unchanged
 *   {~cause}   a sentence that must match a template itself
 *   {?limit}   a sentence that is translated if it matches a template, and copied otherwise
 */
export type Sentences = Readonly<Record<string, string>>;

type Slot = { readonly name: string; readonly kind: "as_is" | "known" | "maybe" };

export interface Template {
  readonly pattern: RegExp;
  readonly slots: readonly Slot[];
  readonly translation: string;
}

const SLOT = /\{([~?]?)(\w+)\}/g;
const NUMBER = String.raw`[-−+]?(?:\d[\d.]*(?:e[-+]?\d+)?|∞|NaN|Infinity)`;

/** Templates with more fixed text come first, because they are more specific. */
export function templatesOf(sentences: Sentences): Template[] {
  return Object.entries(sentences)
    .sort(([a], [b]) => ownLetters(b) - ownLetters(a))
    .map(([template, translation]) => compile(template, translation));
}

function ownLetters(template: string): number {
  return template.replaceAll(SLOT, "").length;
}

function compile(template: string, translation: string): Template {
  const slots: Slot[] = [];
  let source = "";
  let end = 0;
  for (const { index, 0: whole, 1: mark, 2: name = "" } of template.matchAll(SLOT)) {
    source += escaped(template.slice(end, index));
    end = index + whole.length;
    const kind = mark === "~" ? "known" : mark === "?" ? "maybe" : "as_is";
    slots.push({ name, kind });
    source += `(${patternOf(name, kind)})`;
  }
  source += escaped(template.slice(end));
  return { pattern: new RegExp(`^${source}$`, "s"), slots, translation };
}

/** A nested sentence matches greedily, because the text after it is short. */
function patternOf(name: string, kind: Slot["kind"]): string {
  if (kind === "known") return ".+";
  if (kind === "maybe") return ".+?";
  return name.length === 1 ? NUMBER : "[^;,]+?";
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Undefined if no template matches. */
export function translate(text: string, templates: readonly Template[]): string | undefined {
  for (const template of templates) {
    const found = template.pattern.exec(text);
    const filled = found && fill(template, found.slice(1), templates);
    if (typeof filled === "string") return filled;
  }
  return undefined;
}

function fill(
  { slots, translation }: Template,
  values: readonly string[],
  templates: readonly Template[],
): string | undefined {
  const parts = new Map<string, string>();
  for (const [i, { name, kind }] of slots.entries()) {
    const value = values[i] ?? "";
    const again = kind === "as_is" ? value : translate(value, templates);
    if (again === undefined && kind === "known") return undefined;
    parts.set(name, again ?? value);
  }
  return translation.replaceAll(/\{(\w+)\}/g, (whole, name) => parts.get(name) ?? whole);
}

/**
 * Sentences that documents hold are English wherever they come from: a run's explanations, formulas in words,
 * problems. Here they are told again in another language, by templates of what the code can say.
 *
 *   {n}        one letter: a number
 *   {target}   any text without a comma or semicolon, taken over as it is
 *   {~cause}   a sentence that must be known itself
 *   {?limit}   a sentence that is told again where it is known, and taken over where it is not
 */
export type Sentences = Readonly<Record<string, string>>;

type Slot = { readonly name: string; readonly kind: "as_is" | "known" | "maybe" };

export interface Template {
  readonly pattern: RegExp;
  readonly slots: readonly Slot[];
  readonly told: string;
}

const SLOT = /\{([~?]?)(\w+)\}/g;
const NUMBER = String.raw`[-−+]?(?:\d[\d.]*(?:e[-+]?\d+)?|∞|NaN|Infinity)`;

/** Those with more words of their own come first: they are surer. */
export function templatesOf(sentences: Sentences): Template[] {
  return Object.entries(sentences)
    .sort(([a], [b]) => ownLetters(b) - ownLetters(a))
    .map(([template, told]) => compile(template, told));
}

function ownLetters(template: string): number {
  return template.replaceAll(SLOT, "").length;
}

function compile(template: string, told: string): Template {
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
  return { pattern: new RegExp(`^${source}$`, "s"), slots, told };
}

/** A sentence within another is as long as it can be: what follows it is short. */
function patternOf(name: string, kind: Slot["kind"]): string {
  if (kind === "known") return ".+";
  if (kind === "maybe") return ".+?";
  return name.length === 1 ? NUMBER : "[^;,]+?";
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Undefined where no template says so. */
export function retell(text: string, templates: readonly Template[]): string | undefined {
  for (const template of templates) {
    const found = template.pattern.exec(text);
    const filled = found && fill(template, found.slice(1), templates);
    if (typeof filled === "string") return filled;
  }
  return undefined;
}

function fill(
  { slots, told }: Template,
  values: readonly string[],
  templates: readonly Template[],
): string | undefined {
  const parts = new Map<string, string>();
  for (const [i, { name, kind }] of slots.entries()) {
    const value = values[i] ?? "";
    const again = kind === "as_is" ? value : retell(value, templates);
    if (again === undefined && kind === "known") return undefined;
    parts.set(name, again ?? value);
  }
  return told.replaceAll(/\{(\w+)\}/g, (whole, name) => parts.get(name) ?? whole);
}

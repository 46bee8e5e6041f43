import { escapeXml } from "../../simulator/maps/svg.js";

/** Escaped HTML. Only `html` and `trusted` create it, so text from data is never mistaken for it. */
export class Html {
  constructor(readonly text: string) {}
}

/** Values allowed in a template; null, undefined and false produce no output. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** A template tag that escapes every value except `Html`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? "";
  for (const [i, part] of parts.entries()) text += textOf(part) + (strings[i + 1] ?? "");
  return new Html(text);
}

/** Marks text as HTML without escaping. Only for generated images and the style sheet, never for data. */
export function trusted(text: string): Html {
  return new Html(text);
}

/** A name with line break opportunities for narrow columns. */
export function breakable(name: unknown): Html {
  return new Html(escapeXml(String(name)).replace(/[/_]+(?=.)/g, "$&<wbr>"));
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return escapeXml(String(part));
}

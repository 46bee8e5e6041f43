import { escapeXml } from "../../simulator/maps/svg.js";

/** A piece of a page. Only `html` and `trusted` make one, so what came from data cannot pass for it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; nothing at all leaves no trace. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** A template whose every value is escaped, but for what is HTML already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? "";
  for (const [i, part] of parts.entries()) text += textOf(part) + (strings[i + 1] ?? "");
  return new Html(text);
}

/** For what we drew or wrote ourselves: pictures, the style sheet. Never for data. */
export function trusted(text: string): Html {
  return new Html(text);
}

/** A name with places where a narrow column may break it. */
export function breakable(name: unknown): Html {
  return new Html(escapeXml(String(name)).replace(/[/_]+(?=.)/g, "$&<wbr>"));
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return escapeXml(String(part));
}

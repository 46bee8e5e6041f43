import { breakable, type Html, html, type Part } from "./html.js";

export interface Column {
  readonly title: string;
  /** `number` aligns to the right, `drawing` takes the remaining width, `text` may wrap. */
  readonly kind?: "text" | "number" | "drawing";
  /** Hidden on narrow pages. */
  readonly extra?: true;
}

interface TableOptions {
  readonly caption?: "hidden";
  readonly id?: string;
  /** Shows notes next to their numbers where the page is wide enough. */
  readonly compact?: true;
}

/**
 * A table that scrolls horizontally when it is wider than the page. The first cell of a row is its heading.
 *
 * @param caption read by screen readers, and visible unless `"hidden"` because the heading above says the same
 */
export function table(
  caption: Part,
  columns: readonly Column[],
  rows: readonly (readonly Part[])[],
  options: TableOptions = {},
): Html {
  const kind = (i: number) => `${columns[i]?.kind ?? "text"}${columns[i]?.extra ? " extra" : ""}`;
  const head = columns.map(
    (column, i) => html`<th scope="col" class="${kind(i)}">${column.title}</th>`,
  );
  const body = rows.map((cells) => {
    const parts = cells.map((cell, i) =>
      i === 0
        ? html`<th scope="row" class="${kind(i)}">${cell}</th>`
        : html`<td class="${kind(i)}">${cell}</td>`,
    );
    return html`<tr>${parts}</tr>\n`;
  });
  const hidden = options.caption === "hidden" ? html` class="unseen"` : "";
  const id = options.id === undefined ? "" : html` id="${options.id}"`;
  return html`<div class="scroll" tabindex="0"><table${id}${options.compact && html` class="compact"`}><caption${hidden}>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>
`;
}

/** A number with notes below it in smaller type. */
export function withNote(value: Part, ...notes: readonly string[]): Html {
  const there = notes.filter((note) => note !== "");
  return html`${value}${there.map((note) => html`<small>${breakable(note)}</small>`)}`;
}

/** Folds rows beyond the first few; rows beyond `most` are only counted. */
export function inParts<T>(
  items: readonly T[],
  first: number,
  most: number,
  draw: (items: readonly T[], which: "first" | "rest") => Html,
  noun: string,
): Html {
  const rest = items.slice(first, most);
  const more = items.length - Math.min(items.length, most);
  return html`${draw(items.slice(0, first), "first")}${
    rest.length > 0 &&
    html`<details><summary>${rest.length} more ${noun}</summary>${draw(rest, "rest")}</details>`
  }${more > 0 && html`<p class="note">and ${more} more ${noun}, not listed here</p>`}`;
}

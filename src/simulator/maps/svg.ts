import { CAP_HEIGHT, strokePath, strokeWidthOf } from "./stroke-font.js";

/** Pixels from the image's upper left corner. */
export type Pixel = readonly [x: number, y: number];

/** Rounds to a tenth of a pixel; more digits are invisible and cost bytes. */
export function px(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  // Minus zero is printed as 0, and a leading zero is dropped.
  return String(rounded === 0 ? 0 : rounded).replace(/^(-?)0\./, "$1.");
}

/** Escapes texts and attribute values; characters that XML forbids become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}]|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}

/** Path data of one `M` and relative lines; points that round to the previous one are omitted. */
export function polyline(points: readonly Pixel[], close: "open" | "closed" = "open"): string {
  let path = "";
  // Differences of rounded values, so that errors do not accumulate.
  let [x, y] = [0, 0];
  for (const [i, point] of points.entries()) {
    const [dx, dy] = [tenth(point[0]) - x, tenth(point[1]) - y];
    if (i > 0 && Math.abs(dx) < 0.05 && Math.abs(dy) < 0.05) continue;
    path += `${i === 0 ? "M" : "l"}${pair(dx, dy)}`;
    [x, y] = [tenth(point[0]), tenth(point[1])];
  }
  if (path === "") return "";
  return close === "closed" ? `${path}z` : path;
}

export function segment(from: Pixel, to: Pixel): string {
  return polyline([from, to]);
}

/** Two numbers with the shortest valid separator. */
export function pair(x: number, y: number): string {
  const second = px(y);
  return `${px(x)}${second.startsWith("-") ? "" : " "}${second}`;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

export function circle([x, y]: Pixel, radius: number, attributes: string): string {
  return `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" ${attributes}/>`;
}

export function path(d: string, attributes: string): string {
  return d === "" ? "" : `<path d="${d}" ${attributes}/>`;
}

export interface TextStyle {
  /** Height of a capital in pixels. */
  readonly capPx: number;
  readonly color: string;
  readonly anchor?: "start" | "middle" | "end";
  /** Rotated to read upwards. */
  readonly upright?: boolean;
  /** Colour of a light outline, for texts on lines. */
  readonly halo?: string;
  /** Stroke width, in hundredths of the capital height. */
  readonly weight?: number;
}

export function textWidth(text: string, capPx: number): number {
  return (strokeWidthOf(text) * capPx) / CAP_HEIGHT;
}

/** A line of text with its baseline at a point. The words are included as text for screen readers. */
export function text(words: string, [x, y]: Pixel, style: TextStyle): string {
  const { capPx, color, anchor = "start", halo, weight = 13 } = style;
  const share = { start: 0, middle: 0.5, end: 1 }[anchor];
  const along = share * textWidth(words, capPx);
  const at = style.upright ? pair(x, y + along) : pair(x - along, y);
  const d = strokePath(words);
  if (d === "") return "";
  const scale = Math.round((capPx / CAP_HEIGHT) * 1000) / 1000;
  const turn = style.upright ? "rotate(-90)" : "";
  const stroke = (ink: string, width: number) =>
    `<path d="${d}" stroke="${ink}" stroke-width="${px(width)}"/>`;
  return (
    `<g aria-label="${escapeXml(words)}" transform="translate(${at})${turn}scale(${scale})" ` +
    `fill="none" stroke-linecap="round" stroke-linejoin="round">` +
    `${halo === undefined ? "" : stroke(halo, weight / 10 + 4)}${stroke(color, weight / 10)}</g>`
  );
}

/** Wraps a text at spaces into lines of at most the given width; the last line is truncated if too long. */
export function wrap(words: string, widthPx: number, capPx: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words.split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, capPx) > widthPx) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  if (line !== "") lines.push(line);
  if (lines.length > most) lines.splice(most - 1, lines.length, lines.slice(most - 1).join(" "));
  return lines.map((each) => shortened(each, widthPx, capPx));
}

function shortened(line: string, widthPx: number, capPx: number): string {
  if (textWidth(line, capPx) <= widthPx) return line;
  const letters = [...line];
  while (letters.length > 0 && textWidth(`${letters.join("")}...`, capPx) > widthPx) letters.pop();
  return `${letters.join("")}...`;
}

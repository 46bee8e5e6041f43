/** A number, a list of numbers with spaces between them, a word, or true and false. */
type MjcfValue = string | number | boolean | readonly number[];

export type MjcfAttributes = Readonly<Record<string, MjcfValue | undefined>>;

/** An element of an MJCF document (MuJoCo's XML). */
export interface MjcfElement {
  readonly tag: string;
  /** Those that are undefined are left out. */
  readonly attributes: MjcfAttributes;
  readonly children: readonly MjcfElement[];
}

/**
 * @example mjcf("body", { name: "cup", pos: [0.7, 0.2, 0.8] }, mjcf("freejoint"), ...geoms)
 */
export function mjcf(
  tag: string,
  attributes: MjcfAttributes = {},
  ...children: readonly MjcfElement[]
): MjcfElement {
  return { tag, attributes, children };
}

/** As text. The same element gives the same text, and numbers keep all their digits. */
export function mjcfText(element: MjcfElement, indent = ""): string {
  const attributes = Object.entries(element.attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${valueText(element.tag, name, value ?? "")}"`)
    .join("");
  if (element.children.length === 0) return `${indent}<${element.tag}${attributes}/>`;
  const children = element.children.map((child) => mjcfText(child, `${indent}  `));
  return [`${indent}<${element.tag}${attributes}>`, ...children, `${indent}</${element.tag}>`].join(
    "\n",
  );
}

function valueText(tag: string, name: string, value: MjcfValue): string {
  if (typeof value === "number") return numberText(tag, name, value);
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "string") return value.map((x) => numberText(tag, name, x)).join(" ");
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** MuJoCo would take NaN for a word, and fail far from here. */
function numberText(tag: string, name: string, value: number): string {
  if (Number.isFinite(value)) return String(value);
  throw new RangeError(`<${tag} ${name}>: ${value} is no finite number`);
}

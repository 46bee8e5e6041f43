/** An attribute value: a number, a list of numbers (written with spaces), a string or a boolean. */
type MjcfValue = string | number | boolean | readonly number[];

export type MjcfAttributes = Readonly<Record<string, MjcfValue | undefined>>;

/** An element of an MJCF document (MuJoCo's XML). */
export interface MjcfElement {
  readonly tag: string;
  /** Undefined attributes are omitted. */
  readonly attributes: MjcfAttributes;
  readonly children: readonly MjcfElement[];
}

/**
 * Creates an element of an MJCF document.
 *
 * @example
 * mjcf("body", { name: "cup", pos: [0.7, 0.2, 0.8] }, mjcf("freejoint"));
 */
export function mjcf(
  tag: string,
  attributes: MjcfAttributes = {},
  ...children: readonly MjcfElement[]
): MjcfElement {
  return { tag, attributes, children };
}

/** The XML text of an element. It is deterministic, and numbers keep all their digits. */
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

/** MuJoCo would accept NaN here and fail later with an unrelated error. */
function numberText(tag: string, name: string, value: number): string {
  if (Number.isFinite(value)) return String(value);
  throw new RangeError(`<${tag} ${name}>: ${value} is not a finite number`);
}

/** Words accepted in place of a number or boolean. */
const LITERALS: ReadonlyMap<string, boolean | number> = new Map<string, boolean | number>([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** Converts text to the boolean or number that it spells. Returns any other value unchanged. */
export function parseLiteral(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  if (word === "") return null;
  if (NUMBER.test(word)) return Number(word);
  return LITERALS.get(word) ?? value;
}

/** Like `parseLiteral`, but for counts, which cannot be "yes" or "no". */
export function asNumber(value: unknown): unknown {
  const number = parseLiteral(value);
  return typeof number === "boolean" ? value : number;
}

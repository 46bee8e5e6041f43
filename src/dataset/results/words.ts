/** What a cell may say in place of a number. */
const WORDS: ReadonlyMap<string, boolean | number> = new Map<string, boolean | number>([
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

/** Text as the truth value or number that it spells; other text, and what is no text, as it is. */
export function truth(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  if (word === "") return null;
  if (NUMBER.test(word)) return Number(word);
  return WORDS.get(word) ?? value;
}

/** As `truth`, where a count is expected: yes and no are no counts. */
export function asNumber(value: unknown): unknown {
  const number = truth(value);
  return typeof number === "boolean" ? value : number;
}

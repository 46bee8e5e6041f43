import { InvalidArgumentError } from "commander";
import { ConfigError } from "../core/errors.js";
import { hasControl } from "../core/text.js";

/** Parsers of flag values. Commander adds the flag's name to their errors. */

function numberParser(isValid: (value: number) => boolean, expected: string) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() !== "" && isValid(value)) return value;
    throw new InvalidArgumentError(`expected ${expected}.`);
  };
}

export const wholeNumber = (least: number) =>
  numberParser(
    (value) => Number.isSafeInteger(value) && value >= least,
    `a whole number of at least ${least}`,
  );

/** A whole number of 32 bits. */
export const integer = numberParser(
  (value) => Number.isInteger(value) && Math.abs(value) < 2 ** 31,
  "a whole number",
);

export const share = numberParser((value) => value >= 0 && value <= 1, "a share between 0 and 1");

export const positive = numberParser(
  (value) => value > 0 && value < Number.POSITIVE_INFINITY,
  "a number of more than 0",
);

export const degrees = numberParser(Number.isFinite, "a number of degrees");

/** For flags that can be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export function list(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.some((name) => name === "")) {
    throw new InvalidArgumentError("expected names with commas between them.");
  }
  return names;
}

/** Rejects flags that would have no effect. @param why such as `without --queue` */
export function rejectUnused<F extends object>(
  flags: F,
  names: readonly (keyof F & string)[],
  why: string,
  hint?: string,
): void {
  for (const name of names) {
    if (flags[name] === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new ConfigError("unused_flag", `${flag} has no effect ${why}`, { where: flag, hint });
  }
}

/** Maximum lengths of a run's name and of a tag's value, in characters. */
const MOST_NAME = 100;
const MOST_TAG = 200;
const TAG_KEY = /^[A-Za-z0-9_.-]{1,50}$/;

/** A name for people. It is shown in tables, so it is one short line; the run's folder has another name. */
export function runName(text: string): string {
  if (text.trim() !== "" && text.length <= MOST_NAME && !hasControl(text)) return text;
  throw new InvalidArgumentError(
    `expected a text of at most ${MOST_NAME} characters, on one line.`,
  );
}

/** For `--tag key=value`, which can be repeated with other keys. */
export function tags(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [key = "", ...rest] = text.split("=");
  const value = rest.join("=");
  if (!TAG_KEY.test(key) || value === "" || value.length > MOST_TAG || hasControl(value)) {
    throw new InvalidArgumentError(
      `expected key=value: a key of letters, digits, ".", "_" and "-", and a value of at most ${MOST_TAG} characters.`,
    );
  }
  if (Object.hasOwn(before, key)) throw new InvalidArgumentError(`the tag ${key} is given twice.`);
  return { ...before, [key]: value };
}

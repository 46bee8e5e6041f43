import { InvalidArgumentError } from "commander";
import { ConfigError } from "../core/errors.js";

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

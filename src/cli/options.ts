import { InvalidArgumentError } from "commander";

/** Parsers of flag values. Commander adds the flag's name to their errors. */

export function wholeNumber(least: number) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`expected a whole number of at least ${least}.`);
    }
    return value;
  };
}

export function integer(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || Math.abs(value) >= 2 ** 31) {
    throw new InvalidArgumentError("expected a whole number.");
  }
  return value;
}

export function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError("expected a share between 0 and 1.");
  }
  return value;
}

/** Of something a second. */
export function rate(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError("expected a number of more than 0.");
}

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

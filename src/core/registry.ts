import { RegistryError } from "./errors.js";

/**
 * Entries by name. Registering a name twice is an error, because overwriting would go unnoticed; the error for
 * an unknown name lists the valid ones.
 */
export class Registry<T> {
  readonly #entries = new Map<string, T>();

  /** @param noun what the entries are, in the singular, for errors: `metric`, `task`. */
  constructor(readonly noun: string) {}

  register(name: string, value: T): void {
    if (name === "") throw new RegistryError("empty_name", `a ${this.noun} needs a name`);
    if (this.#entries.has(name)) {
      throw new RegistryError(
        `duplicate_${this.noun}`,
        `the ${this.noun} "${name}" is already registered`,
        { hint: `choose another name, or register it in a new set from createRegistries()` },
      );
    }
    this.#entries.set(name, value);
  }

  get(name: string): T {
    const found = this.#entries.get(name);
    if (found === undefined) throw this.unknown(name);
    return found;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Names in the order of registration. */
  list(): string[] {
    return [...this.#entries.keys()];
  }

  entries(): IterableIterator<[string, T]> {
    return this.#entries.entries();
  }

  unknown(name: string): RegistryError {
    return new RegistryError(`unknown_${this.noun}`, `unknown ${this.noun} "${name}"`, {
      hint: suggestion(name, this.list()),
    });
  }
}

/** The list of valid names, preceded by "did you mean" if one is close. */
export function suggestion(name: string, valid: readonly string[]): string {
  const list = valid.length > 0 ? `valid: ${valid.join(", ")}` : "none exist";
  const near = nearestName(name, valid);
  return near === undefined ? list : `did you mean "${near}"? ${list}`;
}

/** The name that is probably meant; undefined if none is close. */
export function nearestName(name: string, valid: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of valid) {
    const d = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

import { DataError } from "../core/errors.js";
import type { DatasetSource } from "./format.js";

type Made<T> = T | Iterable<T> | Promise<T | Iterable<T>>;

/**
 * Makes episodes of a file's entries, one or several of each. What is wrong with an entry ends the
 * reading, or is reported and passed over, as the source says. Damage of the file itself always ends it.
 */
export async function* readEach<Raw, T extends object>(
  source: DatasetSource,
  entries: AsyncIterable<Raw> | Iterable<Raw>,
  make: (entry: Raw) => Made<T>,
): AsyncGenerator<T> {
  for await (const entry of entries) {
    let made: readonly T[];
    try {
      const one = await make(entry);
      // Spread here, so that a generator's mistakes are caught here too.
      made = isIterable(one) ? [...one] : [one];
    } catch (error) {
      if (!source.onBadEpisode || !(error instanceof DataError)) throw error;
      source.onBadEpisode(error);
      continue;
    }
    yield* made;
  }
}

function isIterable<T extends object>(value: T | Iterable<T>): value is Iterable<T> {
  return Symbol.iterator in value;
}

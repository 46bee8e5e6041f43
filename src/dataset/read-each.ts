import { DataError } from "../core/errors.js";
import type { DatasetSource } from "./format.js";
import { orDamage } from "./readers/bytes.js";

type Made<T> = T | Iterable<T> | Promise<T | Iterable<T>>;

/**
 * Converts each entry of a file to one or several episodes. An invalid entry throws, or is reported to
 * `onBadEpisode` and skipped. Damage to the file itself always throws, and instead of an invalid entry that it
 * explains.
 *
 * @param source its path is the file of the entries
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
      // Spread here, so that errors of a generator are caught too.
      made = isIterable(one) ? [...one] : [one];
    } catch (error) {
      if (!source.onBadEpisode || !(error instanceof DataError)) {
        throw await orDamage(source.path, error);
      }
      source.onBadEpisode(error);
      continue;
    }
    yield* made;
  }
}

function isIterable<T extends object>(value: T | Iterable<T>): value is Iterable<T> {
  return Symbol.iterator in value;
}

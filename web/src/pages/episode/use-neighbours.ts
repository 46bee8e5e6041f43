import { useEffect, useState } from "react";
import type { EpisodeRow } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { load } from "../../api.js";

export interface Neighbours {
  readonly self: EpisodeRow;
  readonly previous: EpisodeRow | null;
  readonly next: EpisodeRow | null;
  /** The next one that did not succeed. */
  readonly nextFailure: EpisodeRow | null;
}

/** Searches the run's list page by page until the neighbours are found. Null while searching, or if not found. */
export function useNeighbours(run: string, episode: string): Neighbours | null {
  const [found, setFound] = useState<{ key: string; neighbours: Neighbours } | null>(null);
  const key = `${run}/${episode}`;
  useEffect(() => {
    let current = true;
    const show = (neighbours: Neighbours | null) => {
      if (current && neighbours) setFound({ key, neighbours });
    };
    // The list is optional: without it, the buttons are not shown.
    look(run, episode, () => current).then(show, () => undefined);
    return () => {
      current = false;
    };
  }, [run, episode, key]);
  return found?.key === key ? found.neighbours : null;
}

async function look(
  run: string,
  episode: string,
  wanted: () => boolean,
): Promise<Neighbours | null> {
  let self: EpisodeRow | null = null;
  let previous: EpisodeRow | null = null;
  let next: EpisodeRow | null = null;
  for (let page = 0, of = 1; page < of && wanted(); page += 1) {
    const { rows, pages } = await load(addresses.episodes(run, page));
    of = pages;
    for (const row of rows) {
      if (self) {
        next ??= row;
        if (row.outcome !== "success") return { self, previous, next, nextFailure: row };
      } else if (row.id === episode) self = row;
      else previous = row;
    }
  }
  return self && { self, previous, next, nextFailure: null };
}

import { useEffect, useRef, useState } from "react";
import type { EpisodeRow, Problem, RunDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { load, problemOf, reload } from "../../api.js";

export interface Episodes {
  readonly rows: readonly EpisodeRow[];
  /** Whether all episodes are loaded. */
  readonly complete: boolean;
  readonly problem: Problem | null;
}

/** Pages that are loaded concurrently. */
const CONCURRENT_PAGES = 4;

/**
 * A run's episodes, shown as their pages load. For each update of a live run, the last page and those after it are
 * loaded. When a run ends it is loaded again, because episodes may have been retried.
 */
export function useEpisodes(run: string, document: RunDocument): Episodes {
  const shown = useRef<readonly (readonly EpisodeRow[])[]>([]);
  const status = useRef(document.card.status);
  const [episodes, setEpisodes] = useState<Episodes>({ rows: [], complete: false, problem: null });
  useEffect(() => {
    let current = true;
    const fresh = status.current !== document.card.status;
    status.current = document.card.status;
    const held = fresh ? [] : shown.current;
    const get = (page: number) => {
      const address = addresses.episodes(run, page);
      const again = fresh || page === held.length - 1;
      return again ? reload(address) : load(address);
    };
    const read = async () => {
      let got: readonly (readonly EpisodeRow[])[] = held.slice(0, Math.max(0, held.length - 1));
      // Each page has the number of pages; the first is loaded alone, so that the table appears soon.
      let pages = got.length + 1;
      while (current && got.length < pages) {
        const many = Math.min(CONCURRENT_PAGES, pages - got.length);
        const next = await Promise.all(Array.from({ length: many }, (_, i) => get(got.length + i)));
        if (!current) return;
        got = [...got, ...next.map(({ rows }) => rows)];
        pages = next.at(-1)?.pages ?? pages;
        const complete = got.length >= pages;
        // The table does not shrink while it is reloaded.
        if (complete || got.length >= shown.current.length) {
          shown.current = got;
          setEpisodes({ rows: got.flat(), complete, problem: null });
        }
      }
    };
    read().catch((error: unknown) => {
      const { problem } = problemOf(error);
      if (current) setEpisodes(({ rows }) => ({ rows, complete: true, problem }));
    });
    return () => {
      current = false;
    };
  }, [run, document]);
  return episodes;
}

import { useEffect, useRef, useState } from "react";
import type { EpisodeRow, Problem, RunDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { load, problemOf, reload } from "../../api.js";

export interface Episodes {
  readonly rows: readonly EpisodeRow[];
  /** Whether all that there were are here. */
  readonly complete: boolean;
  readonly problem: Problem | null;
}

/** Pages that are asked for at the same time. */
const AT_ONCE = 4;

/**
 * A run's episodes, shown as their pages come. Each new document of a live run asks for what was added: the last
 * page again, and those after it. A run that has ended is read anew, for episodes may have been tried again.
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
      // Each page tells how many there are; the first is asked for alone, for a table to look at soon.
      let pages = got.length + 1;
      while (current && got.length < pages) {
        const many = Math.min(AT_ONCE, pages - got.length);
        const next = await Promise.all(Array.from({ length: many }, (_, i) => get(got.length + i)));
        if (!current) return;
        got = [...got, ...next.map(({ rows }) => rows)];
        pages = next.at(-1)?.pages ?? pages;
        const complete = got.length >= pages;
        // What is shown does not shrink while it is read again.
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

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
  const pages = useRef<(readonly EpisodeRow[])[]>([]);
  const status = useRef(document.card.status);
  const [episodes, setEpisodes] = useState<Episodes>({ rows: [], complete: false, problem: null });
  useEffect(() => {
    let current = true;
    const fresh = status.current !== document.card.status;
    status.current = document.card.status;
    const held = fresh ? [] : pages.current;
    const get = async (page: number) => {
      const address = addresses.episodes(run, page);
      const again = fresh || page === held.length - 1;
      return (again ? await reload(address) : await load(address)).rows;
    };
    const read = async () => {
      let got = held.slice(0, Math.max(0, held.length - 1));
      while (current && got.length < document.pages) {
        // The first alone, for a table to look at soon.
        const many = got.length === 0 ? 1 : Math.min(AT_ONCE, document.pages - got.length);
        const next = await Promise.all(Array.from({ length: many }, (_, i) => get(got.length + i)));
        got = [...got, ...next];
        if (!current) return;
        const complete = got.length >= document.pages;
        // What is shown does not shrink while it is read again.
        if (complete || got.length >= pages.current.length) {
          pages.current = got;
          setEpisodes({ rows: got.flat(), complete, problem: null });
        }
      }
      if (current && document.pages === 0) setEpisodes({ rows: [], complete: true, problem: null });
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

import { useEffect, useSyncExternalStore } from "react";
import type { LiveEvent, RunCard } from "../../src/server/view/documents.js";
import { addresses } from "./addresses.js";
import { load } from "./api.js";

/** What the server has told since the page was opened. */
interface LiveState {
  /** By run: its newest card; null where the run is gone. */
  readonly cards: ReadonlyMap<string, RunCard | null>;
  /** By run: how often it was told of. */
  readonly versions: ReadonlyMap<string, number>;
}

let state: LiveState = { cards: new Map(), versions: new Map() };
const listeners = new Set<() => void>();
let source: EventSource | null = null;

/** Cards that changed since the page was opened. */
export function useLiveCards(): LiveState["cards"] {
  useLiveConnection();
  return useSyncExternalStore(subscribe, () => state.cards);
}

/** Grows with every change of a run: 0 while nothing was told of it. */
export function useRunVersion(run: string): number {
  useLiveConnection();
  return useSyncExternalStore(subscribe, () => state.versions.get(run) ?? 0);
}

/** One connection for the whole page, where the server has something to tell. */
function useLiveConnection(): void {
  useEffect(() => {
    load(addresses.runs()).then(
      ({ live }) => {
        if (live) connect();
      },
      // The page that asked for the document tells of it.
      () => {},
    );
  }, []);
}

function connect(): void {
  if (source) return;
  source = new EventSource(addresses.live());
  source.onmessage = ({ data }: MessageEvent<string>) => {
    const event: LiveEvent = JSON.parse(data);
    const id = event.type === "run" ? event.card.id : event.id;
    const cards = new Map(state.cards).set(id, event.type === "run" ? event.card : null);
    const versions = new Map(state.versions).set(id, (state.versions.get(id) ?? 0) + 1);
    state = { cards, versions };
    for (const listener of listeners) listener();
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

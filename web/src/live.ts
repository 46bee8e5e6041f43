import { useEffect, useSyncExternalStore } from "react";
import type { LiveEvent, RunCard } from "../../src/server/view/documents.js";
import { addresses, runAt } from "./addresses.js";
import { forget, load } from "./api.js";

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
      ({ live, runs }) => {
        if (live) connect(runs);
      },
      // The page that asked for the document tells of it.
      () => {},
    );
  }, []);
}

/** @param runs as they were read: the server begins with telling every run, and only news count */
function connect(runs: readonly RunCard[]): void {
  if (source) return;
  const told = new Map(runs.map((card) => [card.id, JSON.stringify(card)]));
  source = new EventSource(addresses.live());
  source.onmessage = ({ data }: MessageEvent<string>) => {
    const event: LiveEvent = JSON.parse(data);
    const [id, card] = event.type === "run" ? [event.card.id, event.card] : [event.id, null];
    const text = JSON.stringify(card);
    if (told.get(id) === text) return;
    told.set(id, text);
    // Pages that are opened later ask anew.
    forget(runAt(id));
    state = {
      cards: new Map(state.cards).set(id, card),
      versions: new Map(state.versions).set(id, (state.versions.get(id) ?? 0) + 1),
    };
    for (const listener of listeners) listener();
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

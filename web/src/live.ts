import { useEffect, useSyncExternalStore } from "react";
import type { LiveEvent, RunCard } from "../../src/server/view/documents.js";
import { addresses, runAt } from "./addresses.js";
import { forget, load, reload } from "./api.js";

/** Changes that the server has sent since the page was opened. */
interface LiveState {
  /** The latest card of each run; null if the run was deleted. */
  readonly cards: ReadonlyMap<string, RunCard | null>;
  /** The number of updates of each run. */
  readonly versions: ReadonlyMap<string, number>;
}

const DRAWN_EVERY_MS = 100;

let state: LiveState = { cards: new Map(), versions: new Map() };
const listeners = new Set<() => void>();
let source: EventSource | null = null;

/** Cards of runs that changed since the page was opened. */
export function useLiveCards(): LiveState["cards"] {
  useLiveConnection();
  return useSyncExternalStore(subscribe, () => state.cards);
}

/** Increases with every change of a run; 0 before the first. */
export function useRunVersion(run: string): number {
  useLiveConnection();
  return useSyncExternalStore(subscribe, () => state.versions.get(run) ?? 0);
}

/** Opens one connection for the whole page, if the server supports live updates. */
function useLiveConnection(): void {
  useEffect(() => {
    load(addresses.runs()).then(
      ({ revision, runs }) => {
        if (revision !== null) connect(revision, runs);
      },
      // The page that loads the document shows the error.
      () => {},
    );
  }, []);
}

/**
 * @param revision of the loaded list; the server sends later changes
 * @param runs the runs of that list. A restarted server sends every run, and unchanged ones are ignored.
 */
function connect(revision: string, runs: readonly RunCard[]): void {
  if (source) return;
  const known = new Map<string, RunCard | null>(runs.map((card) => [card.id, card]));
  let changed = new Map<string, RunCard | null>();
  const update = (id: string, card: RunCard | null) => {
    if (JSON.stringify(known.get(id)) === JSON.stringify(card)) return;
    known.set(id, card);
    // Events arrive in bursts; the table is drawn once per burst.
    if (changed.size === 0) {
      setTimeout(() => {
        apply(changed);
        changed = new Map();
      }, DRAWN_EVERY_MS);
    }
    changed.set(id, card);
  };
  let opened = false;
  source = new EventSource(addresses.live(revision));
  source.onopen = () => {
    // A request that fails because the server stopped again is repeated after the next reconnect.
    if (opened) removeDeleted(known, update).catch(() => {});
    opened = true;
  };
  source.onmessage = ({ data }: MessageEvent<string>) => {
    const event: LiveEvent = JSON.parse(data);
    if (event.type === "run") update(event.card.id, event.card);
    else update(event.id, null);
  };
}

/** A restarted server does not know which runs were deleted before its start, so the list is read again. */
async function removeDeleted(
  known: ReadonlyMap<string, RunCard | null>,
  update: (id: string, card: null) => void,
): Promise<void> {
  const before = [...known];
  const { runs, damaged } = await reload(addresses.runs());
  const listed = new Set([...runs, ...damaged].map(({ id }) => id));
  for (const [id, card] of before) {
    // An event that arrived during the request is newer than the list.
    if (known.get(id) === card && !listed.has(id)) update(id, null);
  }
}

function apply(changed: ReadonlyMap<string, RunCard | null>): void {
  const versions = new Map(state.versions);
  for (const id of changed.keys()) {
    // Pages that are opened later load the documents again.
    forget(runAt(id));
    versions.set(id, (versions.get(id) ?? 0) + 1);
  }
  state = { cards: new Map([...state.cards, ...changed]), versions };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { byText, mapOrdered } from "../../runs/directory/ordered.js";
import type { LiveEvent, Problem, RunCard, RunsDocument } from "./documents.js";
import { Lru } from "./lru.js";
import { problemOf } from "./problem.js";
import { Revisions } from "./revisions.js";
import { type RunFolder, unknownRun } from "./run-folder.js";
import { type KnownRun, RunReader } from "./run-reader.js";
import { isSameDocument, runStamp } from "./run-stamp.js";
import type { ViewOptions } from "./view-permissions.js";

/** Minimum pause between two summaries of a running run, as a multiple of the time that the last one took. */
const REST = 8;
/** Maximum of that pause: the first reading loads every metric, so its time is not typical. */
const LONGEST_REST_MS = 5_000;
/** Runs whose documents are kept in memory; for the others only the cards are. */
const KEPT_RUNS = 32;
/** Runs that are read concurrently. */
const READ_AT_ONCE = 8;
/** The index yields to requests after working this long. */
const STRETCH_MS = 10;

type Shown = { readonly card: RunCard } | { readonly problem: Problem };

/** A run in the list, as read when its files had this stamp. */
interface Listed {
  readonly stamp: string;
  readonly shown: Shown;
}

/**
 * The runs of a folder. A listing reads the folder once and checks the times and sizes of each run's files; only
 * changed runs are read again.
 */
export class RunIndex {
  readonly #reader: RunReader;
  readonly #listed = new Map<string, Listed>();
  readonly #revisions = new Revisions();
  readonly #known = new Lru<KnownRun>(KEPT_RUNS, () => 1);
  /** Readings in progress by id and stamp; concurrent requests share them. */
  readonly #reading = new Map<string, Promise<KnownRun>>();
  /** When a running or unreadable run must be read again, by id. */
  readonly #due = new Map<string, number>();
  #document: RunsDocument | undefined;
  #updating: Promise<void> = Promise.resolve();
  #nextUpdate: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    private readonly folder: RunFolder,
    options: ViewOptions,
  ) {
    this.#reader = new RunReader(options);
  }

  /** Ends a listing in progress. */
  close(): void {
    this.#isClosed = true;
  }

  get revision(): string {
    return this.#revisions.now;
  }

  /** All runs as they are now, newest first. */
  async list(): Promise<RunsDocument> {
    // Waits for the next listing: the current one may have read a run before its last change.
    this.#nextUpdate ??= this.#updating
      .catch(() => {})
      .then(() => {
        this.#nextUpdate = undefined;
        this.#updating = this.#update();
        return this.#updating;
      });
    await this.#nextUpdate;
    if (this.#document?.revision !== this.revision) this.#document = this.#sorted();
    return this.#document;
  }

  /** Changes since a revision; all cards if the revision is of another index. */
  changesSince(revision: string | undefined): LiveEvent[] {
    const events: LiveEvent[] = [];
    for (const id of this.#revisions.changedSince(revision)) {
      const listed = this.#listed.get(id);
      if (!listed) events.push({ type: "gone", id });
      // An unreadable run is not reported: it may just be being written.
      else if ("card" in listed.shown) events.push({ type: "run", card: listed.shown.card });
    }
    return events;
  }

  /** @throws DataError `unknown_run`, or the run's own problem */
  async get(id: string): Promise<KnownRun> {
    const path = await this.folder.pathOf(id);
    const stamp = await runStamp(path);
    if (stamp === undefined) throw unknownRun();
    const known = this.#known.get(id);
    if (known && this.#isCurrent(id, { stamp: known.stamp, shown: known }, stamp)) return known;
    return this.#read(id, path, stamp, true);
  }

  async #update(): Promise<void> {
    const paths = await this.folder.paths();
    for await (const found of mapOrdered(this.#inStretches(paths), READ_AT_ONCE, (one) =>
      this.#refresh(...one),
    )) {
      if (!found.isRun) paths.delete(found.id);
    }
    if (this.#isClosed) return;
    for (const id of this.#listed.keys()) {
      if (paths.has(id)) continue;
      this.#listed.delete(id);
      this.#due.delete(id);
      this.#known.delete(id);
      this.#revisions.remove(id);
    }
  }

  async *#inStretches(paths: ReadonlyMap<string, string>): AsyncGenerator<[string, string]> {
    let began = performance.now();
    for (const one of [...paths]) {
      if (this.#isClosed) return;
      yield one;
      if (performance.now() - began < STRETCH_MS) continue;
      await nextTurn();
      began = performance.now();
    }
  }

  async #refresh(
    id: string,
    path: string,
  ): Promise<{ readonly id: string; readonly isRun: boolean }> {
    const stamp = await runStamp(path);
    if (stamp === undefined) return { id, isRun: false };
    const before = this.#listed.get(id);
    if (before && this.#isCurrent(id, before, stamp)) return { id, isRun: true };
    const shown: Shown = await this.#read(id, path, stamp, false).then(
      ({ card }) => ({ card }),
      (error: unknown) => ({ problem: problemOf(error) }),
    );
    this.#listed.set(id, { stamp, shown });
    if (!before || !isDeepStrictEqual(before.shown, shown)) this.#revisions.change(id);
    return { id, isRun: true };
  }

  /** True if a listed run need not be read again. */
  #isCurrent(id: string, { stamp, shown }: Listed, now: string): boolean {
    // The cause may be a file that is not part of the stamp.
    const isRetried = "problem" in shown;
    if (stamp === now && !isRetried) return true;
    const grows = "card" in shown && shown.card.status === "running" && isSameDocument(stamp, now);
    if (!grows && !(isRetried && stamp === now)) return false;
    return performance.now() < (this.#due.get(id) ?? 0);
  }

  /** @param keeps true if the documents of a finished run are kept in memory too */
  #read(id: string, path: string, stamp: string, keeps: boolean): Promise<KnownRun> {
    const key = JSON.stringify([id, stamp]);
    const underWay = this.#reading.get(key);
    if (underWay) return underWay;
    const began = performance.now();
    const reading = this.#reader
      .read(id, path, stamp)
      .then((known) => {
        if (keeps || known.card.status === "running") this.#known.set(id, known);
        return known;
      })
      .finally(() => {
        const now = performance.now();
        this.#due.set(id, now + Math.min(REST * (now - began), LONGEST_REST_MS));
        this.#reading.delete(key);
      });
    this.#reading.set(key, reading);
    return reading;
  }

  #sorted(): RunsDocument {
    const runs: RunCard[] = [];
    const damaged: RunsDocument["damaged"][number][] = [];
    for (const [id, { shown }] of this.#listed) {
      if ("card" in shown) runs.push(shown.card);
      else damaged.push({ id, problem: shown.problem });
    }
    return {
      runs: runs.sort((a, b) => byText(b.started_at, a.started_at) || byText(b.id, a.id)),
      damaged: damaged.sort((a, b) => byText(a.id, b.id)),
      stress: false,
      live: true,
      revision: this.revision,
    };
  }
}

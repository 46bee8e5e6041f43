import { stat } from "node:fs/promises";
import type { RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { summaryOf } from "../../runs/report/summary-of.js";
import { RunDirectory } from "../../runs/run-directory.js";
import { isBeingWritten } from "../../runs/run-lock.js";
import type { RunCard, RunsDocument } from "./documents.js";
import { type DrawnOrder, drawnOrder, earlyStopOf, withEarlyStops } from "./early-stops.js";
import { inside } from "./inside.js";
import { plainSummaryOf, withoutPlugins } from "./plugin-free.js";
import { problemOf } from "./problem.js";
import { cardOf } from "./run-card.js";
import type { RunFolder } from "./run-folder.js";

/** A run as it was when its files had the stamp. */
export interface KnownRun {
  readonly id: string;
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly summary: RunSummary;
  readonly card: RunCard;
  /** What worlds are made by: without plugins, unless they were allowed. */
  readonly made: RunInfo;
  /** Another when anything of the run has changed. */
  readonly stamp: string;
}

/** A summary of a run under way is made anew after this many times of what it took, at the soonest. */
const REST = 8;
/** And at the latest after this: the first reading, which loads every metric, tells nothing of the next. */
const LONGEST_REST_MS = 5_000;

/** The runs of a folder. What has been read is kept until its files change. */
export class RunShelf {
  readonly #folder: RunFolder;
  readonly #known = new Map<string, KnownRun>();
  readonly #reading = new Map<string, Promise<KnownRun>>();
  /** By id, when a live run's summary is due again. */
  readonly #due = new Map<string, number>();
  /** Of live runs that may stop early. */
  readonly #orders = new Map<string, Promise<DrawnOrder>>();
  readonly #loadsPlugins: boolean;

  /** @param loadsPlugins whether code that runs name may be loaded */
  constructor(folder: RunFolder, loadsPlugins: boolean) {
    this.#folder = folder;
    this.#loadsPlugins = loadsPlugins;
  }

  /** Several that ask at once share one reading. */
  get(id: string): Promise<KnownRun> {
    const under = this.#reading.get(id);
    if (under) return under;
    const reading = this.#get(id).finally(() => this.#reading.delete(id));
    this.#reading.set(id, reading);
    return reading;
  }

  /** All of them, the newest first. */
  async list(live: boolean): Promise<RunsDocument> {
    const ids = await this.#folder.ids();
    const runs: RunCard[] = [];
    const damaged: RunsDocument["damaged"][number][] = [];
    await Promise.all(
      ids.map(async (id) => {
        try {
          runs.push((await this.get(id)).card);
        } catch (error) {
          damaged.push({ id, problem: problemOf(error) });
        }
      }),
    );
    for (const id of this.#known.keys()) if (!ids.includes(id)) this.#known.delete(id);
    return {
      runs: runs.sort((a, b) => byText(b.started_at, a.started_at) || byText(b.id, a.id)),
      damaged: damaged.sort((a, b) => byText(a.id, b.id)),
      live,
    };
  }

  async #get(id: string): Promise<KnownRun> {
    const path = await this.#folder.pathOf(id);
    const before = this.#known.get(id);
    const stamp = await stampOf(path);
    if (before?.stamp === stamp) return before;
    if (before?.card.status === "running" && isSameDocument(before.stamp, stamp)) {
      if (performance.now() < (this.#due.get(id) ?? 0)) return before;
    }
    const began = performance.now();
    const known = await this.#read(id, path, stamp);
    const now = performance.now();
    this.#due.set(id, now + Math.min(REST * (now - began), LONGEST_REST_MS));
    this.#known.set(id, known);
    return known;
  }

  async #read(id: string, path: string, stamp: string): Promise<KnownRun> {
    const run = new RunDirectory(path);
    await inside(path, run.file("info"));
    const info = await run.info();
    for (const name of ["summary", "episodes"] as const) await insideIfThere(path, run.file(name));
    const made = this.#loadsPlugins ? info : withoutPlugins(info);
    const written = await (this.#loadsPlugins ? summaryOf(run) : plainSummaryOf(path, info));
    const summary = info.status === "running" ? await this.#live(run, made, written) : written;
    const stale = info.status === "running" && stamp.endsWith(" idle");
    const card = cardOf(id, info, summary, stale ? "stale" : info.status);
    return { id, run, info, made, summary, card, stamp };
  }

  /** The order takes a reading of the run's data, once. */
  async #live(run: RunDirectory, info: RunInfo, summary: RunSummary): Promise<RunSummary> {
    if (!earlyStopOf(info)) return summary;
    const key = `${run.path} ${info.started_at}`;
    const order = this.#orders.get(key) ?? drawnOrder(run, info);
    this.#orders.set(key, order);
    try {
      return await withEarlyStops(run, info, summary, await order);
    } catch {
      // Data that is gone, or a metric out of its range, costs the interval that allows for looking.
      return summary;
    }
  }
}

async function insideIfThere(folder: string, path: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) await inside(folder, path);
}

const STAMPED = ["info", "summary", "episodes"] as const;

/** The document's part comes first and the writer's last. */
async function stampOf(path: string): Promise<string> {
  const run = new RunDirectory(path);
  // The lock before the files: a run that ends between the two is seen as written, and never as stale.
  const written = await isBeingWritten(path);
  const parts = await Promise.all(
    STAMPED.map(async (name) => {
      const found = await stat(run.file(name)).catch(() => undefined);
      return found ? `${found.ino}.${found.mtimeMs}.${found.size}` : "-";
    }),
  );
  return [...parts, written ? "written" : "idle"].join(" ");
}

/** Only lines have been added. */
function isSameDocument(a: string, b: string): boolean {
  const [infoA, summaryA, , writerA] = a.split(" ");
  const [infoB, summaryB, , writerB] = b.split(" ");
  return infoA === infoB && summaryA === summaryB && writerA === writerB;
}

/** By code unit, the same in every locale. */
function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

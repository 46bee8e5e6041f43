import type { StatsFs } from "node:fs";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../core/errors.js";
import type { ChallengeStore } from "./store/postgres-store.js";

/** Free space required for step records, results and the database. */
const RESERVED_BYTES = 64 * 2 ** 20;
/** A good answer is cached this long, because probes come from outside. */
const FRESH_MS = 500;
const MIB = 2 ** 20;

export interface ReadinessOptions {
  readonly store: Pick<ChallengeStore, "ping">;
  /** Folder of run directories. */
  readonly runs: string;
  /** Free space of a folder's file system. Default: as the system reports it. */
  readonly statfs?: (folder: string) => Promise<FreeSpace>;
}

type FreeSpace = Pick<StatsFs, "bavail" | "bsize" | "files" | "ffree">;

/** Checks whether submissions can be evaluated now: the storage is writable and the database answers. */
export class Readiness {
  #last: { readonly at: number; readonly problem: Promise<string | undefined> } | undefined;
  #failure: string | undefined;

  constructor(private readonly options: ReadinessOptions) {}

  /** The fatal error of a server that is about to stop; undefined otherwise. */
  get failure(): string | undefined {
    return this.#failure;
  }

  fail(why: string): void {
    this.#failure = why;
  }

  /** Drops the cached answer. Called after a fault of the host, whose cause the next check must find. */
  recheck(): void {
    this.#last = undefined;
  }

  /** Why submissions cannot be evaluated now, in words for the public; undefined if they can. */
  problem(): Promise<string | undefined> {
    const now = performance.now();
    if (this.#last && now - this.#last.at <= FRESH_MS) return this.#last.problem;
    const last = { at: now, problem: this.#look() };
    this.#last = last;
    // A problem is not cached: it would refuse submissions after the database or the storage has recovered.
    void last.problem.then((problem) => {
      if (problem !== undefined && this.#last === last) this.#last = undefined;
    });
    return last.problem;
  }

  async #look(): Promise<string | undefined> {
    return this.#failure ?? (await storageProblem(this.options)) ?? (await this.#database());
  }

  async #database(): Promise<string | undefined> {
    try {
      await this.options.store.ping();
      return undefined;
    } catch {
      return "the server's database does not answer";
    }
  }
}

async function storageProblem(options: ReadinessOptions): Promise<string | undefined> {
  const { runs: folder } = options;
  try {
    const { bavail, bsize, files, ffree } = await (options.statfs ?? statfs)(folder);
    const free = bavail * bsize;
    if (free < RESERVED_BYTES) {
      return `the server's storage is full: ${Math.floor(free / MIB)} MiB are free, ${RESERVED_BYTES / MIB} MiB are needed`;
    }
    // File systems without a fixed number of files report 0 of 0.
    if (files > 0 && ffree === 0) return "the server's storage is full: it can hold no more files";
    const probe = join(folder, `.writable-${process.pid}`);
    await writeFile(probe, "");
    await rm(probe, { force: true });
    return undefined;
  } catch (error) {
    return `the server's storage cannot be written (${String(errorCode(error) ?? "unknown error")})`;
  }
}

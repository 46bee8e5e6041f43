import { setTimeout as sleep } from "node:timers/promises";
import type { EpisodeLine } from "../core/interfaces/result.js";
import type { EpisodeFault } from "../evaluator/execute/worker-pool.js";
import { batchId } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { jsonText } from "./database/json.js";
import { type WaitOptions, whenReachable } from "./database/when-reachable.js";
import { type EpisodeFile, insertFiles, writeShared } from "./episode-files.js";
import { byBatch, type LeasedItem } from "./leased-batch.js";
import { release, releaseLate } from "./release-batches.js";

/** The result of a leased episode. */
export interface Finding extends LeasedItem {
  readonly line: EpisodeLine;
  readonly faults: readonly EpisodeFault[];
  /** True if the episode is retried: this attempt is set aside, not recorded as its result. */
  readonly isTriedAgain: boolean;
  /** Empty for an attempt that is retried. */
  readonly files: readonly EpisodeFile[];
  /** Folder shared by all workers; null stores files in the database. */
  readonly folder: string | null;
}

/** Results per transaction. */
const MOST_AT_ONCE = 32;
/**
 * Minimum time between two transactions. Results that arrive faster share one: for short episodes a
 * transaction each would cost a good part of the episode's own time.
 */
const GATHER_MS = 50;
/** Results that may wait, for example while the database restarts; beyond that, runners wait too. */
const MOST_WAITING = 256;

/**
 * Records results, their files and the end of their batches in one transaction: after a crash at any point an
 * episode is either recorded or still queued. Results that arrive during a transaction share the next one, so
 * that short episodes do not wait for one disk write each.
 */
export class ResultWriter {
  #waiting: Finding[] = [];
  /** Results in the current transaction. */
  #underWay: readonly Finding[] = [];
  /** Aborted to start the next transaction at once. */
  #hurry = new AbortController();
  #lastMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #recorded = 0;

  /**
   * @param wait how long to retry while the database is unreachable: without limit, until its signal aborts
   * @param onFailure called once, when results cannot be recorded; perhaps no further result is ever added
   */
  constructor(
    private readonly cluster: Cluster,
    private readonly worker: string,
    private readonly wait: WaitOptions,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Results recorded by this worker. */
  get recorded(): number {
    return this.#recorded;
  }

  /** Results that are not recorded yet. */
  get waiting(): number {
    return this.#waiting.length + this.#underWay.length;
  }

  /** Resolves when another result can be added. @throws the error that kept an earlier one from being recorded */
  async add(finding: Finding): Promise<void> {
    this.#checkFailure();
    this.#waiting.push(finding);
    if (this.#waiting.length >= MOST_AT_ONCE) this.#hurry.abort();
    this.#writing ??= this.#writeAll();
    while (this.#waiting.length >= MOST_WAITING && this.#writing) await this.#writing;
    this.#checkFailure();
  }

  /** Resolves when all added results are recorded. */
  async flush(): Promise<void> {
    while (this.#writing) {
      this.#hurry.abort();
      await this.#writing;
    }
    this.#checkFailure();
  }

  #checkFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await this.#gather();
        this.#underWay = this.#waiting.splice(0, MOST_AT_ONCE);
        await this.#write(this.#underWay);
        this.#underWay = [];
      }
    } catch (error) {
      this.#failure = { error };
      this.onFailure(error);
    } finally {
      this.#writing = undefined;
    }
  }

  async #gather(): Promise<void> {
    const waitMs = this.#lastMs + GATHER_MS - performance.now();
    if (waitMs > 0 && this.#waiting.length < MOST_AT_ONCE) {
      await sleep(waitMs, undefined, { signal: this.#hurry.signal }).catch(() => {});
    }
    this.#hurry = new AbortController();
    this.#lastMs = performance.now();
  }

  async #write(findings: readonly Finding[]): Promise<void> {
    const { database } = this.cluster;
    const shared = await writeShared(findings);
    const again = findings
      .filter(({ isTriedAgain }) => isTriedAgain)
      .map((finding) => ({ finding, id: batchId(0) }));
    const batches = byBatch(findings);
    const done = [...batches].flatMap(([batch, own]) =>
      batch.isDoneWith(own.length) ? [batch] : [],
    );
    const won = await whenReachable(
      () =>
        database.transaction(async (transaction) => {
          const final = findings.filter(({ isTriedAgain }) => !isTriedAgain);
          const counted = await this.#insert(transaction, "results", final);
          await insertFiles(transaction, counted, shared);
          for (const { finding, id } of again) {
            const [first] = await this.#insert(transaction, "set_aside", [finding]);
            if (first) await this.#tryAgain(transaction, first, id);
          }
          await release(this.cluster, transaction, done);
          return counted.length;
        }),
      this.wait,
    );
    this.#recorded += won;
    const late = [...batches].flatMap(([batch, own]) =>
      batch.countDone(own.length) && !done.includes(batch) ? [batch] : [],
    );
    await releaseLate(this.cluster, late, this.wait);
    await shared.removeUnused(database);
  }

  /** Returns the results that no worker had recorded before. */
  async #insert(
    transaction: Queries,
    table: "results" | "set_aside",
    findings: readonly Finding[],
  ): Promise<readonly Finding[]> {
    if (findings.length === 0) return [];
    const { rows } = await transaction.query<{ run_id: string; no: number; repeat: number }>(
      `INSERT INTO robot_eval.${table} (run_id, no, repeat, attempt, line, faults, worker)
       SELECT *, $7::text FROM unnest
         ($1::text[], $2::int[], $3::int[], $4::int[], $5::json[], $6::json[])
       ON CONFLICT DO NOTHING RETURNING run_id, no, repeat`,
      [
        findings.map(({ batch }) => batch.runId),
        findings.map(({ item: [no] }) => no),
        findings.map(({ item: [, repeat] }) => repeat),
        findings.map(({ item: [, , attempt] }) => attempt),
        findings.map(({ line }) => jsonText(line)),
        findings.map(({ faults }) => jsonText(faults)),
        this.worker,
      ],
    );
    return findings.filter(({ batch, item: [no, repeat] }) =>
      rows.some((row) => row.run_id === batch.runId && row.no === no && row.repeat === repeat),
    );
  }

  async #tryAgain(transaction: Queries, { batch, item }: Finding, id: string): Promise<void> {
    const [no, repeat, attempt] = item;
    const items = [[no, repeat, attempt + 1] as const];
    await this.cluster.queue.insert(transaction, batch.run, [{ id, task: batch.task, items }]);
  }
}

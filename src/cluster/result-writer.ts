import { setTimeout as sleep } from "node:timers/promises";
import type { EpisodeLine } from "../core/interfaces/result.js";
import type { EpisodeFault } from "../evaluator/crew.js";
import { batchId } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { type WaitOptions, whenBack } from "./database/when-back.js";
import { type EpisodeFile, insertFiles, writeShared } from "./episode-files.js";
import { release, releaseLate } from "./give-back.js";
import { byBatch, type HeldItem } from "./held-batch.js";

/** What came of an episode. */
export interface Finding extends HeldItem {
  readonly line: EpisodeLine;
  readonly faults: readonly EpisodeFault[];
  /** It is to be tried once more; this is no result. */
  readonly isTriedAgain: boolean;
  /** None where it is tried again. */
  readonly files: readonly EpisodeFile[];
  /** Folder that all workers share; null puts files into the database. */
  readonly folder: string | null;
}

/** Results in one transaction. */
const MOST_AT_ONCE = 32;
/**
 * From one transaction to the next. Where results come quicker, several go together: what a transaction
 * costs, here and on the server, would else be a good part of what a short episode does.
 */
const GATHER_MS = 50;
/** Results that may wait, as while the database restarts; then episodes wait too. */
const MOST_WAITING = 256;

/**
 * Records what came of episodes: the result, its files and the end of its batch in one transaction, so
 * that whatever is killed when, an episode is either recorded or still to be run. What ends while one
 * transaction is under way goes into the next one together: short episodes do not wait for the disk one
 * by one.
 */
export class ResultWriter {
  readonly #cluster: Cluster;
  readonly #worker: string;
  readonly #wait: WaitOptions;
  #waiting: Finding[] = [];
  /** Of the transaction that is tried. */
  #underWay: readonly Finding[] = [];
  /** Ends the gathering of more. */
  #hurry = new AbortController();
  #lastMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #recorded = 0;

  /** @param wait how long for a database that is away: for ever, unless its signal ends that */
  constructor(cluster: Cluster, worker: string, wait: WaitOptions) {
    this.#cluster = cluster;
    this.#worker = worker;
    this.#wait = wait;
  }

  /** Results of ours that count. */
  get recorded(): number {
    return this.#recorded;
  }

  /** Those that are not recorded yet. */
  get waiting(): number {
    return this.#waiting.length + this.#underWay.length;
  }

  /** Resolves when there is room for more. @throws what kept an earlier one from being recorded. */
  async add(finding: Finding): Promise<void> {
    this.#checkFailure();
    this.#waiting.push(finding);
    if (this.#waiting.length >= MOST_AT_ONCE) this.#hurry.abort();
    this.#writing ??= this.#writeAll();
    while (this.#waiting.length >= MOST_WAITING && this.#writing) await this.#writing;
    this.#checkFailure();
  }

  /** All that was added is recorded. */
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
    const { database } = this.#cluster;
    const shared = await writeShared(findings);
    const again = findings
      .filter(({ isTriedAgain }) => isTriedAgain)
      .map((finding) => ({ finding, id: batchId(0) }));
    const batches = byBatch(findings);
    const done = [...batches].flatMap(([batch, own]) =>
      batch.isDoneWith(own.length) ? [batch] : [],
    );
    const won = await whenBack(
      () =>
        database.transaction(async (transaction) => {
          const final = findings.filter(({ isTriedAgain }) => !isTriedAgain);
          const counted = await this.#insert(transaction, "results", final);
          await insertFiles(transaction, counted, shared);
          for (const { finding, id } of again) {
            const [first] = await this.#insert(transaction, "set_aside", [finding]);
            if (first) await this.#tryAgain(transaction, first, id);
          }
          await release(this.#cluster, transaction, done);
          return counted.length;
        }),
      this.#wait,
    );
    this.#recorded += won;
    const late = [...batches].flatMap(([batch, own]) =>
      batch.settle(own.length) && !done.includes(batch) ? [batch] : [],
    );
    await releaseLate(this.#cluster, late, this.#wait);
    await shared.removeUnused(database);
  }

  /** Gives those that nobody had recorded before. */
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
        findings.map(({ line }) => JSON.stringify(line)),
        findings.map(({ faults }) => JSON.stringify(faults)),
        this.#worker,
      ],
    );
    return findings.filter(({ batch, item: [no, repeat] }) =>
      rows.some((row) => row.run_id === batch.runId && row.no === no && row.repeat === repeat),
    );
  }

  async #tryAgain(transaction: Queries, { batch, item }: Finding, id: string): Promise<void> {
    const [no, repeat, attempt] = item;
    const items = [[no, repeat, attempt + 1] as const];
    await this.#cluster.queue.insert(transaction, batch.run, [{ id, task: batch.task, items }]);
  }
}

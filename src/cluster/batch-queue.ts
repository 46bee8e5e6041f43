import PgBoss from "pg-boss";
import { errorCode } from "../core/errors.js";
import type { Batch, NamedBatch } from "./batches.js";
import type { Database, Queries } from "./database/connect.js";

const SCHEMA = "robot_eval_boss";

/** Jobs in one statement. */
const INSERTED_AT_ONCE = 1000;

/**
 * Limits of pg-boss: how long a batch may run, how often it is retried, how long it may wait in a paused run.
 * They are a fallback: maintenance.ts returns the batches of lost workers much earlier.
 */
const QUEUE = { expireInSeconds: 20 * 3600, retryLimit: 1000, retentionDays: 3650 } as const;

const DEADLOCK = "40P01";

/** Errors when a job still refers to the queue, or when two processes remove it at once (22004: no partition). */
const IN_USE = new Set(["23503", "23001", DEADLOCK, "42P01", "22004"]);

export interface FetchedBatch extends NamedBatch {
  /** Number of earlier leases that expired before the batch was finished. */
  readonly lost: number;
}

/**
 * Unfinished batches, in one pg-boss queue per run. Runs can be paused, prioritised and deleted without
 * touching their jobs, and fetching a batch costs the same however many runs exist.
 */
export class BatchQueue {
  private constructor(
    private readonly boss: PgBoss,
    private readonly database: Database,
  ) {}

  static async open(database: Database): Promise<BatchQueue> {
    // pg-boss' own timers are off: maintenance.ts calls `maintain`.
    const boss = new PgBoss({
      schema: SCHEMA,
      db: through(database),
      supervise: false,
      schedule: false,
    });
    boss.on("error", () => {});
    await boss.start();
    return new BatchQueue(boss, database);
  }

  async create(run: number): Promise<void> {
    const name = queueName(run);
    const create = () => this.boss.createQueue(name, { name, ...QUEUE });
    // Creating a partition while another process removes one may deadlock, and PostgreSQL ends either of them.
    await create().catch((error: unknown) => {
      if (errorCode(error) !== DEADLOCK) throw error;
      return create();
    });
    const partition = await this.#partition(name);
    // Without this index, pg-boss sorts all waiting jobs on every fetch.
    if (partition !== undefined) {
      await this.database.query(
        `CREATE INDEX IF NOT EXISTS ${partition}_next ON ${SCHEMA}.${partition}
         (priority DESC, created_on, id) WHERE state < 'active'`,
      );
    }
  }

  /**
   * Updates the planner's statistics after a bulk insert. Until then PostgreSQL takes the table for empty and
   * sorts instead of using the index: with 30,000 batches, 113 ms per fetch instead of 0.2 ms.
   */
  async analyse(run: number): Promise<void> {
    const partition = await this.#partition(queueName(run));
    if (partition !== undefined) await this.database.query(`ANALYZE ${SCHEMA}.${partition}`);
  }

  async #partition(queue: string): Promise<string | undefined> {
    const { rows } = await this.database.query<{ partition: string }>(
      `SELECT partition_name AS partition FROM ${SCHEMA}.queue WHERE name = $1`,
      [queue],
    );
    const partition = rows[0]?.partition;
    return partition !== undefined && /^\w+$/.test(partition) ? partition : undefined;
  }

  /** Idempotent: a batch whose id already exists is skipped. */
  async insert(queries: Queries, run: number, batches: readonly NamedBatch[]): Promise<void> {
    const name = queueName(run);
    for (let from = 0; from < batches.length; from += INSERTED_AT_ONCE) {
      const some = batches.slice(from, from + INSERTED_AT_ONCE);
      const jobs = some.map(({ id, task, items }) => ({ id, name, data: { task, items } }));
      await this.boss.insert(jobs, { db: through(queries) });
    }
  }

  /** pg-boss swallows errors here; inside a transaction the next statement reports them. */
  async fetch(transaction: Queries, run: number, most: number): Promise<readonly FetchedBatch[]> {
    const jobs = await this.boss.fetch<Batch>(queueName(run), {
      batchSize: most,
      includeMetadata: true,
      db: through(transaction),
    });
    // An UPDATE returns its rows in no defined order.
    return jobs
      .map(({ id, data, retryCount }) => ({ id, ...data, lost: retryCount }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async complete(queries: Queries, run: number, ids: readonly string[]): Promise<void> {
    // pg-boss 10 accepts several ids with options; its types do not.
    await Reflect.apply(this.boss.complete, this.boss, [
      queueName(run),
      ids,
      {},
      { db: through(queries) },
    ]);
  }

  /** Returns batches of lost workers to the queue. */
  async putBack(queries: Queries, run: number, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.boss.fail(queueName(run), id, {}, { db: through(queries) });
    }
  }

  /** True if no batch waits or is leased. */
  async isEmpty(queries: Queries, run: number): Promise<boolean> {
    const { rows } = await queries.query<{ some: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ${SCHEMA}.job WHERE name = $1 AND state < 'completed') AS some`,
      [queueName(run)],
    );
    return rows[0]?.some === false;
  }

  /** Leaves the queue in place if a batch is being inserted at the same time; maintenance.ts tries again. */
  async remove(run: number): Promise<void> {
    const name = queueName(run);
    try {
      // pg-boss does not delete a queue that has jobs.
      await this.database.query(`DELETE FROM ${SCHEMA}.job WHERE name = $1`, [name]);
      await this.boss.deleteQueue(name);
    } catch (error) {
      if (!IN_USE.has(String(errorCode(error)))) throw error;
    }
  }

  /** Numbers of the runs that have a queue. */
  async runs(): Promise<readonly number[]> {
    const queues = await this.boss.getQueues();
    return queues.flatMap(({ name }) => {
      const number = /^run-(\d+)$/.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  }

  maintain(): Promise<void> {
    return this.boss.maintain();
  }
}

function queueName(run: number): string {
  return `run-${run}`;
}

function through(queries: Queries): PgBoss.Db {
  return { executeSql: (text, values) => queries.query(text, values ?? []) };
}

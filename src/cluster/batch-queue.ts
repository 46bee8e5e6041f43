import PgBoss from "pg-boss";
import { errorCode } from "../core/errors.js";
import type { Batch, NamedBatch } from "./batches.js";
import type { Database, Queries } from "./database/connect.js";

const SCHEMA = "robot_eval_boss";

/** Jobs in one statement. */
const INSERTED_AT_ONCE = 1000;

/**
 * The nets below the sweep (sweep.ts), which is quicker: a batch may be under way for this long, may be
 * lost this often, and may wait for this long in a run that is paused.
 */
const QUEUE = { expireInSeconds: 20 * 3600, retryLimit: 1000, retentionDays: 3650 } as const;

/** A job refers to the queue, or two of us remove it at once: pg-boss then looks for the table of none (22004). */
const IN_USE = new Set(["23503", "23001", "40P01", "42P01", "22004"]);

/** A batch that was fetched. */
export interface FetchedBatch extends NamedBatch {
  /** How often it was begun before and never finished. */
  readonly lost: number;
}

/**
 * The batches that nobody has finished: a pg-boss queue for each run. So runs can be paused, put before
 * one another and thrown away without touching their jobs, and what it costs to take one does not depend
 * on other runs.
 */
export class BatchQueue {
  readonly #boss: PgBoss;
  readonly #database: Database;

  private constructor(boss: PgBoss, database: Database) {
    this.#boss = boss;
    this.#database = database;
  }

  static async open(database: Database): Promise<BatchQueue> {
    // Without its timers: sweep.ts calls for its maintenance.
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
    await this.#boss.createQueue(name, { name, ...QUEUE });
    const partition = await this.#partition(name);
    // pg-boss sorts all that waits whenever one is taken; with this it finds the first at once.
    if (partition !== undefined) {
      await this.#database.query(
        `CREATE INDEX IF NOT EXISTS ${partition}_next ON ${SCHEMA}.${partition}
         (priority DESC, created_on, id) WHERE state < 'active'`,
      );
    }
  }

  /**
   * After many batches were put in. Of a table that was empty a moment ago PostgreSQL believes that sorting
   * is as good as the index: of 30,000 batches, 113 ms to take one against 0.2.
   */
  async analyse(run: number): Promise<void> {
    const partition = await this.#partition(queueName(run));
    if (partition !== undefined) await this.#database.query(`ANALYZE ${SCHEMA}.${partition}`);
  }

  async #partition(queue: string): Promise<string | undefined> {
    const { rows } = await this.#database.query<{ partition: string }>(
      `SELECT partition_name AS partition FROM ${SCHEMA}.queue WHERE name = $1`,
      [queue],
    );
    const partition = rows[0]?.partition;
    return partition !== undefined && /^\w+$/.test(partition) ? partition : undefined;
  }

  /** A batch whose id is there already is left alone. */
  async insert(queries: Queries, run: number, batches: readonly NamedBatch[]): Promise<void> {
    const name = queueName(run);
    for (let from = 0; from < batches.length; from += INSERTED_AT_ONCE) {
      const some = batches.slice(from, from + INSERTED_AT_ONCE);
      const jobs = some.map(({ id, task, items }) => ({ id, name, data: { task, items } }));
      await this.#boss.insert(jobs, { db: through(queries) });
    }
  }

  /** pg-boss says nothing of errors here; inside a transaction the next statement does. */
  async fetch(transaction: Queries, run: number, most: number): Promise<readonly FetchedBatch[]> {
    const jobs = await this.#boss.fetch<Batch>(queueName(run), {
      batchSize: most,
      includeMetadata: true,
      db: through(transaction),
    });
    // An UPDATE gives its rows in no order.
    return jobs
      .map(({ id, data, retryCount }) => ({ id, ...data, lost: retryCount }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async complete(queries: Queries, run: number, ids: readonly string[]): Promise<void> {
    // Several ids with options of their own are in pg-boss 10, and missing in its types.
    await Reflect.apply(this.#boss.complete, this.#boss, [
      queueName(run),
      ids,
      {},
      { db: through(queries) },
    ]);
  }

  /** Puts batches back whose workers are gone. */
  async putBack(queries: Queries, run: number, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.#boss.fail(queueName(run), id, {}, { db: through(queries) });
    }
  }

  /** Whether nothing waits and nothing is under way. */
  async isEmpty(queries: Queries, run: number): Promise<boolean> {
    const { rows } = await queries.query<{ some: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ${SCHEMA}.job WHERE name = $1 AND state < 'completed') AS some`,
      [queueName(run)],
    );
    return rows[0]?.some === false;
  }

  /** Where somebody is putting a batch into it at this moment it stays; sweep.ts comes back to it. */
  async remove(run: number): Promise<void> {
    const name = queueName(run);
    try {
      // pg-boss leaves this to its caller: a queue that has jobs is not deleted.
      await this.#database.query(`DELETE FROM ${SCHEMA}.job WHERE name = $1`, [name]);
      await this.#boss.deleteQueue(name);
    } catch (error) {
      if (!IN_USE.has(String(errorCode(error)))) throw error;
    }
  }

  /** The runs that have a queue, by number. */
  async runs(): Promise<readonly number[]> {
    const queues = await this.#boss.getQueues();
    return queues.flatMap(({ name }) => {
      const number = /^run-(\d+)$/.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  }

  maintain(): Promise<void> {
    return this.#boss.maintain();
  }
}

function queueName(run: number): string {
  return `run-${run}`;
}

function through(queries: Queries): PgBoss.Db {
  return { executeSql: (text, values) => queries.query(text, values ?? []) };
}

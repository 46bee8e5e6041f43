import { BaseEpisode } from "../core/episode/base.js";
import type { Job } from "../evaluator/queue.js";
import { isSamePolicy } from "../evaluator/resume.js";
import { PACKAGE_VERSION } from "../runs/versions.js";
import type { FetchedBatch } from "./batch-queue.js";
import { batchId, type Item } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { type ClusterRun, findRun } from "./runs-table.js";

/** How often a batch may be lost with its worker before something in it is suspected. */
const MOST_LOST = 3;

export interface Taker {
  readonly worker: string;
  /** Where this worker finds the policy: only runs of such a one are taken. Any run if absent. */
  readonly agent: string | undefined;
  /** The run that it is at, which it stays with where others are not more in need. */
  readonly current: string | undefined;
  /** Runs that it cannot serve now. */
  readonly avoids: readonly string[];
}

/** An episode of a batch, ready to run. */
interface TakenJob {
  readonly job: Job;
  readonly item: Item;
}

export interface Taken {
  readonly run: ClusterRun;
  readonly batch: FetchedBatch;
  /** Those of the batch that nobody has recorded yet. */
  readonly jobs: readonly TakenJob[];
  /** Workers died of it, again and again: it is not to be run any more. */
  readonly isSuspect: boolean;
}

/** What there is to do. */
export interface Offer {
  readonly taken: Taken | undefined;
  /** Runs that are not over and have nothing left to take: perhaps they are finished. */
  readonly drained: readonly string[];
}

/**
 * Takes the next batch: of the run of the highest priority, and of several such of the one that the
 * fewest batches are under way of.
 */
export async function takeBatch(cluster: Cluster, taker: Taker): Promise<Offer> {
  const { database } = cluster;
  const { rows } = await database.query<{ run_id: string; no: number; agent: string }>(
    `SELECT r.run_id, r.no::int, r.agent FROM robot_eval.runs r
     WHERE r.status IN ('queued', 'running') AND r.version = $1 AND r.run_id <> ALL ($2::text[])
     ORDER BY r.priority DESC,
       (SELECT count(*) FROM robot_eval.held h WHERE h.run_id = r.run_id)
         - (r.run_id = $3)::int, r.no`,
    [PACKAGE_VERSION, taker.avoids, taker.current ?? null],
  );
  const drained: string[] = [];
  for (const { run_id, no, agent } of rows) {
    if (taker.agent !== undefined && !isSamePolicy(agent, taker.agent)) continue;
    const taken = await database.transaction((tx) => takeFrom(cluster, tx, run_id, no, taker));
    if (taken) return { taken, drained };
    drained.push(run_id);
  }
  return { taken: undefined, drained };
}

async function takeFrom(
  { queue }: Cluster,
  transaction: Queries,
  runId: string,
  no: number,
  { worker }: Taker,
): Promise<Taken | undefined> {
  for (;;) {
    const batch = await queue.fetch(transaction, no);
    const run = await findRun(transaction, runId);
    if (!batch || !run || (run.status !== "queued" && run.status !== "running")) return undefined;
    const items = batch.lost > 0 ? await unrecorded(transaction, run, batch) : batch.items;
    const isSuspect = batch.lost >= MOST_LOST;
    if (items.length === 0 || run.dropped.includes(batch.task)) {
      await queue.complete(transaction, no, [batch.id]);
      continue;
    }
    if (isSuspect && items.length > 1) {
      // One by one, so that the others of the batch need not die with it.
      const alone = items.map((item, i) => ({ id: batchId(i), task: batch.task, items: [item] }));
      await queue.complete(transaction, no, [batch.id]);
      await queue.insert(transaction, no, alone);
      continue;
    }
    await transaction.query(
      `INSERT INTO robot_eval.held (job, run_id, worker) VALUES ($1, $2, $3)
       ON CONFLICT (job) DO UPDATE SET worker = EXCLUDED.worker, taken_at = now()`,
      [batch.id, runId, worker],
    );
    if (run.status === "queued") {
      await transaction.query(
        `UPDATE robot_eval.runs SET status = 'running', started_at = coalesce(started_at, now())
         WHERE run_id = $1 AND status = 'queued'`,
        [runId],
      );
    }
    return { run, batch, jobs: await jobsOf(transaction, runId, batch.task, items), isSuspect };
  }
}

/** Without those that were recorded, or tried and put into the queue again, before the batch was lost. */
async function unrecorded(
  transaction: Queries,
  { run_id }: ClusterRun,
  { items }: FetchedBatch,
): Promise<readonly Item[]> {
  const { rows } = await transaction.query<{ no: number; repeat: number; attempt: number | null }>(
    `SELECT no, repeat, NULL AS attempt FROM robot_eval.results
     WHERE run_id = $1 AND no = ANY ($2::int[])
     UNION ALL
     SELECT no, repeat, attempt FROM robot_eval.set_aside
     WHERE run_id = $1 AND no = ANY ($2::int[])`,
    [run_id, items.map(([no]) => no)],
  );
  return items.filter(
    ([no, repeat, attempt]) =>
      !rows.some(
        (row) => row.no === no && row.repeat === repeat && (row.attempt ?? attempt) === attempt,
      ),
  );
}

async function jobsOf(
  transaction: Queries,
  runId: string,
  task: string,
  items: readonly Item[],
): Promise<readonly TakenJob[]> {
  const { rows } = await transaction.query<{ no: number; episode: unknown }>(
    "SELECT no, episode FROM robot_eval.episodes WHERE run_id = $1 AND no = ANY ($2::int[])",
    [runId, items.map(([no]) => no)],
  );
  const episodes = new Map(rows.map(({ no, episode }) => [no, BaseEpisode.fromDict(episode)]));
  return items.flatMap((item): TakenJob[] => {
    const [no, repeat, attempt] = item;
    const episode = episodes.get(no);
    return episode ? [{ item, job: { task, episode, repeat, attempt } }] : [];
  });
}

import { BaseEpisode } from "../core/episode/base.js";
import type { Job } from "../evaluator/queue.js";
import { isSamePolicy } from "../evaluator/resume.js";
import { PACKAGE_VERSION } from "../runs/versions.js";
import type { FetchedBatch } from "./batch-queue.js";
import { batchId, type Item } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { type ClusterRun, findRun, stateOf } from "./runs-table.js";

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
  /** Batches taken at once at most; 1 if absent. */
  readonly most?: number | undefined;
  /** What it knows of a run already, and need not read again. */
  readonly known?: ((runId: string) => ClusterRun | undefined) | undefined;
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
  /** All of one run. */
  readonly taken: readonly Taken[];
  /** Runs that are not over and have nothing left to take: perhaps they are finished. */
  readonly drained: readonly string[];
}

/**
 * Takes the next batches: of the run of the highest priority, and of several such of the one that the
 * fewest batches are under way of.
 */
export async function takeBatches(cluster: Cluster, taker: Taker): Promise<Offer> {
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
    if (taken.length > 0) return { taken, drained };
    drained.push(run_id);
  }
  return { taken: [], drained };
}

/** What is fetched of a batch, before its episodes are read. */
type Part = Omit<Taken, "run" | "jobs"> & { readonly items: readonly Item[] };

async function takeFrom(
  { queue }: Cluster,
  transaction: Queries,
  runId: string,
  no: number,
  { worker, most = 1, known }: Taker,
): Promise<readonly Taken[]> {
  // Before anything is fetched: what is fetched and not held would be nobody's.
  const state = await stateOf(transaction, runId);
  if (!state || (state.status !== "queued" && state.status !== "running")) return [];
  for (;;) {
    const batches = await queue.fetch(transaction, no, most);
    if (batches.length === 0) return [];
    const parts: Part[] = [];
    for (const batch of batches) {
      const items = batch.lost > 0 ? await unrecorded(transaction, runId, batch) : batch.items;
      const isSuspect = batch.lost >= MOST_LOST;
      if (items.length === 0 || state.dropped.includes(batch.task)) {
        await queue.complete(transaction, no, [batch.id]);
      } else if (isSuspect && items.length > 1) {
        // One by one, so that the others of the batch need not die with it.
        const alone = items.map((item, i) => ({ id: batchId(i), task: batch.task, items: [item] }));
        await queue.complete(transaction, no, [batch.id]);
        await queue.insert(transaction, no, alone);
      } else {
        parts.push({ batch, items, isSuspect });
      }
    }
    if (parts.length === 0) continue;
    const run = known?.(runId) ?? (await findRun(transaction, runId));
    // It was there a moment ago, and may have been deleted since: what we fetched is gone with it.
    if (!run) return [];
    await hold(transaction, runId, worker, parts);
    const episodes = await episodesOf(transaction, runId, parts);
    return parts.map(({ items, ...part }) => ({
      run,
      ...part,
      jobs: items.flatMap((item): TakenJob[] => {
        const [at, repeat, attempt] = item;
        const episode = episodes.get(at);
        return episode ? [{ item, job: { task: part.batch.task, episode, repeat, attempt } }] : [];
      }),
    }));
  }
}

/** Notes who has them, and that the run is under way. */
async function hold(
  transaction: Queries,
  runId: string,
  worker: string,
  parts: readonly Part[],
): Promise<void> {
  await transaction.query(
    `WITH started AS
       (UPDATE robot_eval.runs SET status = 'running', started_at = coalesce(started_at, now())
        WHERE run_id = $2 AND status = 'queued')
     INSERT INTO robot_eval.held (job, run_id, worker) SELECT job, $2, $3 FROM unnest($1::uuid[]) job
     ON CONFLICT (job) DO UPDATE SET worker = EXCLUDED.worker, taken_at = now()`,
    [parts.map(({ batch }) => batch.id), runId, worker],
  );
}

/** Without those that were recorded, or tried and put into the queue again, before the batch was lost. */
async function unrecorded(
  transaction: Queries,
  runId: string,
  { items }: FetchedBatch,
): Promise<readonly Item[]> {
  const { rows } = await transaction.query<{ no: number; repeat: number; attempt: number | null }>(
    `SELECT no, repeat, NULL AS attempt FROM robot_eval.results
     WHERE run_id = $1 AND no = ANY ($2::int[])
     UNION ALL
     SELECT no, repeat, attempt FROM robot_eval.set_aside
     WHERE run_id = $1 AND no = ANY ($2::int[])`,
    [runId, items.map(([no]) => no)],
  );
  return items.filter(
    ([no, repeat, attempt]) =>
      !rows.some(
        (row) => row.no === no && row.repeat === repeat && (row.attempt ?? attempt) === attempt,
      ),
  );
}

async function episodesOf(
  transaction: Queries,
  runId: string,
  parts: readonly Part[],
): Promise<ReadonlyMap<number, BaseEpisode>> {
  const { rows } = await transaction.query<{ no: number; episode: unknown }>(
    "SELECT no, episode FROM robot_eval.episodes WHERE run_id = $1 AND no = ANY ($2::int[])",
    [runId, parts.flatMap(({ items }) => items.map(([no]) => no))],
  );
  return new Map(rows.map(({ no, episode }) => [no, BaseEpisode.fromDict(episode)]));
}

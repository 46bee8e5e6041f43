import { BaseEpisode } from "../core/episode/base.js";
import type { Job } from "../evaluator/plan/queue.js";
import { isSamePolicy } from "../evaluator/resume.js";
import { PACKAGE_VERSION } from "../runs/directory/versions.js";
import type { FetchedBatch } from "./batch-queue.js";
import { batchId, type Item } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { type ClusterRun, findRun, stateOf } from "./runs-table.js";

/** Expired leases after which a batch is suspected of crashing its workers. */
const MOST_LOST = 3;

export interface LeaseRequest {
  readonly worker: string;
  /** How this worker reaches the policy: only runs with the same policy are leased. Any run if absent. */
  readonly agent: string | undefined;
  /** The run that the worker has open; ties go to it. */
  readonly current: string | undefined;
  /** Runs that the worker cannot prepare now. */
  readonly excludes: readonly string[];
  /** Maximum number of batches. Default 1. */
  readonly limit?: number | undefined;
  /** Returns the row of a run that the worker has read before, to save a query. */
  readonly known?: ((runId: string) => ClusterRun | undefined) | undefined;
}

/** An episode of a batch, ready to run. */
interface LeasedJob {
  readonly job: Job;
  readonly item: Item;
}

export interface Lease {
  readonly run: ClusterRun;
  readonly batch: FetchedBatch;
  /** Episodes of the batch that have no result yet. */
  readonly jobs: readonly LeasedJob[];
  /** True if its lease expired `MOST_LOST` times: the batch must not be run again. */
  readonly isSuspect: boolean;
}

export interface LeaseOffer {
  /** All leases are of one run. */
  readonly leases: readonly Lease[];
  /** Open runs without waiting batches; they may be finished. */
  readonly drained: readonly string[];
}

/**
 * Leases the next batches from the run with the highest priority. Ties go to the run with the fewest leased
 * batches.
 */
export async function leaseBatches(cluster: Cluster, request: LeaseRequest): Promise<LeaseOffer> {
  const { database } = cluster;
  const { rows } = await database.query<{ run_id: string; no: number; agent: string }>(
    `SELECT r.run_id, r.no::int, r.agent FROM robot_eval.runs r
     WHERE r.status IN ('queued', 'running') AND r.version = $1 AND r.run_id <> ALL ($2::text[])
     ORDER BY r.priority DESC,
       (SELECT count(*) FROM robot_eval.held h WHERE h.run_id = r.run_id)
         - coalesce((r.run_id = $3)::int, 0), r.no`,
    [PACKAGE_VERSION, request.excludes, request.current ?? null],
  );
  const drained: string[] = [];
  for (const { run_id, no, agent } of rows) {
    if (request.agent !== undefined && !isSamePolicy(agent, request.agent)) continue;
    const leases = await database.transaction((tx) => leaseFrom(cluster, tx, run_id, no, request));
    if (leases.length > 0) return { leases, drained };
    drained.push(run_id);
  }
  return { leases: [], drained };
}

/** A fetched batch whose episodes are not read yet. */
type Part = Omit<Lease, "run" | "jobs"> & { readonly items: readonly Item[] };

async function leaseFrom(
  { queue }: Cluster,
  transaction: Queries,
  runId: string,
  no: number,
  { worker, limit = 1, known }: LeaseRequest,
): Promise<readonly Lease[]> {
  // Checked before fetching: a fetched batch without a lease would never be returned to the queue.
  const state = await stateOf(transaction, runId);
  if (!state || (state.status !== "queued" && state.status !== "running")) return [];
  for (;;) {
    const batches = await queue.fetch(transaction, no, limit);
    if (batches.length === 0) return [];
    const parts: Part[] = [];
    for (const batch of batches) {
      const items = batch.lost > 0 ? await unrecorded(transaction, runId, batch) : batch.items;
      const isSuspect = batch.lost >= MOST_LOST;
      if (items.length === 0 || state.dropped.includes(batch.task)) {
        await queue.complete(transaction, no, [batch.id]);
      } else if (isSuspect && items.length > 1) {
        // Split into single episodes, so that the one that crashes its workers is found.
        const alone = items.map((item, i) => ({ id: batchId(i), task: batch.task, items: [item] }));
        await queue.complete(transaction, no, [batch.id]);
        await queue.insert(transaction, no, alone);
      } else {
        parts.push({ batch, items, isSuspect });
      }
    }
    if (parts.length === 0) continue;
    const run = known?.(runId) ?? (await findRun(transaction, runId));
    // The run was deleted after the first check, and its batches with it.
    if (!run) return [];
    await recordLease(transaction, runId, worker, parts);
    const episodes = await episodesOf(transaction, runId, parts);
    return parts.map(({ items, ...part }) => ({
      run,
      ...part,
      jobs: items.flatMap((item): LeasedJob[] => {
        const [at, repeat, attempt] = item;
        const episode = episodes.get(at);
        return episode ? [{ item, job: { task: part.batch.task, episode, repeat, attempt } }] : [];
      }),
    }));
  }
}

/** Records the worker's lease and marks the run as running. */
async function recordLease(
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

/** Filters out episodes that were recorded or requeued before the previous lease expired. */
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

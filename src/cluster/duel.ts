import type { LoadedConfig } from "../config/load.js";
import { Duel } from "../evaluator/duel/duel.js";
import { DuelFolder, type DuelResult, holdDuel, onlyFirst } from "../evaluator/duel/hold-duel.js";
import { type DuelOptions, markOf, prepareDuel } from "../evaluator/duel/prepare-duel.js";
import { slug } from "../runs/directory/file-names.js";
import { attach } from "./attached.js";
import type { Cluster } from "./cluster.js";
import { controlRun } from "./control.js";
import { whenReachable } from "./database/when-reachable.js";
import type { FollowOptions } from "./follow.js";
import { submitRun } from "./submit.js";

export interface ClusterDuelOptions
  extends Omit<DuelOptions, "workers" | "concurrency" | "registries">,
    Pick<FollowOptions, "onNotice"> {
  /** Runs with a higher priority are run first. Default 0. */
  readonly priority?: number | undefined;
}

/** Workers take batches of their own accord, so no policy waits for another one. */
const NO_WINDOW = Number.POSITIVE_INFINITY;

/**
 * A duel whose episodes are run by a cluster's workers. This process compares the results and drops what is no longer needed
 * from the queue. If it is interrupted, it cancels the runs; the duel can then be resumed on this machine.
 */
export async function duelOnCluster(
  cluster: Cluster,
  loaded: LoadedConfig,
  options: ClusterDuelOptions,
): Promise<DuelResult> {
  // Run ids are unique in the database, not only in the duel's folder.
  const nameOf = (id: string, number: number, agent: string) => `${id}-${number}-${slug(agent)}`;
  const prepared = await prepareDuel(loaded, options, nameOf);
  const { folder, settings, selection, plans, recorded } = prepared;
  const duel = new Duel(settings, NO_WINDOW, new Map(recorded ? [[0, recorded.lines]] : []));
  const place = new DuelFolder(folder, duel, plans.size);
  const [firstPolicy] = plans.keys();
  const ended = holdDuel(folder, duel, options, async (policy, signal) => {
    const plan = plans.get(policy);
    if (!plan)
      throw new TypeError(`policy ${policy} of the duel has recorded results and must not be run`);
    await place.begin(signal);
    const { priority, onNotice } = options;
    const runId = settings.policies[policy]?.run;
    const duelMark = markOf(settings, policy);
    const submitted = await submitRun(cluster, plan, {
      ...{ ...selection, runId, priority, outDir: folder, duel: duelMark },
    });
    const results = await attach(cluster, plan, submitted, {
      ...{ outDir: folder, signal, onNotice },
      onEvent: onlyFirst(options, policy === firstPolicy).onEvent,
      pair: (...joining) => duel.join(policy, ...joining),
    });
    if (results.status !== "done") {
      await whenReachable(() => controlRun(cluster, submitted.info.run_id, { action: "cancel" }));
    }
    return results;
  });
  return ended.finally(() => place.release());
}

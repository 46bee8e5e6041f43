import { lstatSync } from "node:fs";
import type { RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { policiesText } from "../../core/policy-identity.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { labelsOf } from "../../runs/directory/run-labels.js";
import { repeatsOf } from "../../runs/recorded/recorded-config.js";
import type { Headline, RunCard } from "./documents.js";
import { type DrawnOrder, drawnOrder, earlyStopOf, withEarlyStops } from "./early-stops.js";
import { inside } from "./inside.js";
import { Lru } from "./lru.js";
import { isIdle } from "./run-stamp.js";
import {
  permissionsFor,
  type ViewOptions,
  type ViewPermissions,
  viewSummary,
} from "./view-permissions.js";

/** A run as read when its files had this stamp. */
export interface KnownRun {
  readonly id: string;
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly summary: RunSummary;
  readonly card: RunCard;
  readonly permissions: ViewPermissions;
  /** Changes whenever a file of the run does. */
  readonly stamp: string;
}

/** Maximum number of drawn orders in memory; each has a key per episode. */
const KEPT_ORDERS = 64;

/** Reads run directories, and summarises those without a summary. */
export class RunReader {
  /** Drawn orders of running runs with early stopping. */
  readonly #orders = new Lru<Promise<DrawnOrder>>(KEPT_ORDERS, () => 1);

  constructor(private readonly options: ViewOptions) {}

  /**
   * @param path the run directory's real path
   * @param stamp taken before reading, so that a change during the reading is noticed the next time
   */
  async read(id: string, path: string, stamp: string): Promise<KnownRun> {
    const run = new RunDirectory(path);
    for (const name of ["info", "summary", "episodes"] as const) {
      if (isLink(run.file(name))) await inside(path, run.file(name));
    }
    const info = await run.info();
    const permissions = permissionsFor(info, this.options);
    const written = await viewSummary(run, info, permissions);
    const known = { run, info, permissions };
    const summary = info.status === "running" ? await this.#live(known, written) : written;
    const isStale = info.status === "running" && isIdle(stamp);
    const card = cardOf(id, info, summary, isStale ? "stale" : info.status);
    return { ...known, id, summary, card, stamp };
  }

  /** Reads the run's data once, to compute the drawn order. */
  async #live(
    { run, info, permissions }: Pick<KnownRun, "run" | "info" | "permissions">,
    summary: RunSummary,
  ): Promise<RunSummary> {
    if (!earlyStopOf(info)) return summary;
    const key = `${run.path} ${info.started_at}`;
    const order = this.#orders.get(key) ?? drawnOrder(run, info, permissions);
    this.#orders.set(key, order);
    try {
      return await withEarlyStops(run, info, summary, await order);
    } catch {
      // If the data is missing or a metric is out of range, the ordinary interval is shown.
      return summary;
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** @param id the folder's name, which may differ from the run id */
function cardOf(
  id: string,
  info: RunInfo,
  summary: RunSummary,
  status: RunCard["status"],
): RunCard {
  const policy = policiesText(info.policies);
  return {
    id,
    benchmark: info.benchmark.name,
    agent: info.agent,
    ...labelsOf(info),
    ...(policy === undefined ? {} : { policy }),
    kind: info.kind,
    status,
    started_at: info.started_at,
    finished_at: info.finished_at,
    seed: info.seed,
    headlines: headlinesOf(summary),
    episodes: summary.episodes,
    planned: plannedOf(info, summary),
    ...(info.partial ? { partial: info.partial } : {}),
    warnings: info.warnings.length,
  };
}

function headlinesOf({ primary_metrics, per_task }: RunSummary): Headline[] {
  return Object.entries(primary_metrics).flatMap(([task, metric]) => {
    const found = per_task[task]?.[metric];
    if (!found) return [];
    const { mean, ci95, count, n_invalid } = found;
    return { task, metric, mean, ci95, count, n_invalid };
  });
}

/** The size of a shard is only known after it has run. */
function plannedOf(info: RunInfo, summary: RunSummary) {
  const { status, kind, data, selection } = info;
  if (status === "done" || kind === "score") return summary.episodes.total;
  if (!data || selection.shard !== undefined) return null;
  return Object.values(data).reduce((sum, { episodes }) => sum + episodes, 0) * repeatsOf(info);
}

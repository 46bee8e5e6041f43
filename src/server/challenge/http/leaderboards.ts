import { policiesText } from "../../../core/policy-identity.js";
import { judged } from "../../../runs/compare/pair.js";
import { readComparedRun } from "../../../runs/compare/read-run.js";
import { Lru } from "../../view/lru.js";
import type { LoadedChallenge, LoadedPhase } from "../load.js";
import type { ChallengeStore } from "../store/postgres-store.js";
import type { RankedResult } from "../store/store.js";
import type { EpisodeValue, EpisodeValues } from "./adjacent-rows.js";
import type { LeaderboardDocument, LeaderboardRow } from "./documents.js";
import { byScore, rank, type Standing } from "./standings.js";
import { phaseDocument, scoresOf } from "./views.js";

/** Cached for this long, so reloading the page does not query the database. */
const FRESH_MS = 1000;
/** Size of the cache of episode values read from run directories. */
const MOST_BYTES = 64 * 2 ** 20;
const BYTES_PER_VALUE = 100;

export interface LeaderboardsOptions {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  /** Called for run directories that cannot be read. */
  readonly onFault?: ((error: unknown) => void) | undefined;
  readonly now?: (() => number) | undefined;
}

interface Table {
  readonly rows: readonly LeaderboardRow[];
  readonly tests: number;
}

/** Leaderboards of all phases, recomputed only when the set of complete submissions changes. */
export class Leaderboards {
  readonly #now: () => number;
  readonly #values = new Lru<EpisodeValues>(
    MOST_BYTES,
    ({ values }) => values.size * BYTES_PER_VALUE,
  );
  readonly #tables = new Map<
    string,
    { readonly version: string; readonly table: Promise<Table> }
  >();
  readonly #asked = new Map<string, { readonly at: number; readonly current: Promise<Current> }>();

  constructor(private readonly options: LeaderboardsOptions) {
    this.#now = options.now ?? (() => performance.now());
  }

  async document(phase: LoadedPhase): Promise<LeaderboardDocument> {
    const { table } = await this.#current(phase);
    return {
      format: "robot-eval-leaderboard/1",
      challenge: this.options.loaded.config.name,
      phase: phaseDocument(phase, new Date()),
      ...table,
    };
  }

  /** Changes whenever the table does. */
  async version(phase: LoadedPhase): Promise<string> {
    return (await this.#current(phase)).version;
  }

  #current(phase: LoadedPhase): Promise<Current> {
    const { name } = phase.config;
    const known = this.#asked.get(name);
    if (known && this.#now() - known.at < FRESH_MS) return known.current;
    const current = this.#load(phase);
    this.#asked.set(name, { at: this.#now(), current });
    // The next request tries again.
    current.catch(() => this.#asked.delete(name));
    return current;
  }

  async #load(phase: LoadedPhase): Promise<Current> {
    const { name } = phase.config;
    const results = await this.options.store.completeResults(name);
    const version = results.map(({ submissionId }) => submissionId).join(" ");
    const known = this.#tables.get(name);
    if (known?.version === version) return { version, table: await known.table };
    const table = this.#table(phase, results);
    this.#tables.set(name, { version, table });
    table.catch(() => this.#tables.delete(name));
    return { version, table: await table };
  }

  async #table({ config }: LoadedPhase, results: readonly RankedResult[]): Promise<Table> {
    const { leaderboard: metric, metrics } = config;
    const teams = await this.options.store.teams();
    const affiliations = new Map(teams.map(({ id, affiliation }) => [id, affiliation]));
    const standings: Standing[] = [];
    for (const own of byTeam(results).values()) {
      const [best] = own
        .map((result) => ({ result, scores: scoresOf(result.summary, metrics) }))
        .sort((a, b) => byScore(a.scores[metric], b.scores[metric]) || byTime(a.result, b.result));
      if (!best) continue;
      const { submission } = best.result;
      standings.push({
        team: submission.teamName,
        affiliation: affiliations.get(submission.teamId) ?? "",
        submission: submission.name,
        policy: policiesText(best.result.summary.policies) ?? "",
        submitted_at: submission.createdAt.toISOString(),
        attempts: own.length,
        scores: best.scores,
        episodes: await this.#episodes(best.result, metric),
      });
    }
    return rank(standings, metric);
  }

  async #episodes({ submission }: RankedResult, metric: string): Promise<EpisodeValues> {
    const key = `${submission.id} ${metric}`;
    const known = this.#values.get(key);
    if (known) return known;
    if (submission.runDir === null) return NOTHING;
    try {
      const read = await readValues(submission.runDir, metric);
      this.#values.set(key, read);
      return read;
    } catch (error) {
      // The team keeps its row, without a comparison with the row above.
      this.options.onFault?.(error);
      return NOTHING;
    }
  }
}

interface Current {
  readonly version: string;
  readonly table: Table;
}

const NOTHING: EpisodeValues = { values: new Map(), repeated: false };

async function readValues(runDir: string, metric: string): Promise<EpisodeValues> {
  const { episodes, metrics, repeats } = await readComparedRun(runDir);
  const values = new Map<string, EpisodeValue>();
  for (const [key, episode] of episodes) {
    const index = metrics.get(episode.task)?.indexOf(metric) ?? -1;
    const own = judged(episode)
      .map((trial) => trial.values[index] ?? Number.NaN)
      .filter((value) => !Number.isNaN(value));
    if (own.length === 0) continue;
    const value = own.reduce((x, y) => x + y, 0) / own.length;
    values.set(key, { task: episode.task, scene: episode.scene, value });
  }
  return { values, repeated: repeats > 1 };
}

function byTeam(results: readonly RankedResult[]): Map<string, RankedResult[]> {
  const teams = new Map<string, RankedResult[]>();
  for (const result of results) {
    const { teamId } = result.submission;
    teams.set(teamId, [...(teams.get(teamId) ?? []), result]);
  }
  return teams;
}

function byTime(a: RankedResult, b: RankedResult): number {
  return a.submission.createdAt.getTime() - b.submission.createdAt.getTime();
}

import { ConfigError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { sectionOf } from "../recorded/recorded-config.js";
import type { ComparedRun } from "./read-run.js";

const NAMED = 3;

export interface PairCounts {
  readonly shared: number;
  readonly onlyA: number;
  readonly onlyB: number;
}

export interface PairOptions {
  /** Accepts runs of which one has episodes that the other lacks. */
  readonly onlyShared: boolean;
  /** Whether a run may lack episodes that the other has. Default: only an unfinished run of the same selection. */
  readonly mayLack?: (run: ComparedRun) => boolean;
}

/** Rejects runs that differ in more than the policy, because their metrics are not comparable. */
export function checkComparable(
  a: ComparedRun,
  b: ComparedRun,
  counts: PairCounts,
  { onlyShared, mayLack = () => false }: PairOptions,
): void {
  if (counts.shared === 0) throw nothingShared(a, b);
  checkProfiles(a, b);
  // Runs with different perturbations have the same episodes, changed on purpose.
  if (samePerturbation(a.info, b.info)) {
    checkData(a, b);
    checkInitialStates(a, b);
  }
  if (!onlyShared) checkSelections(a, b, counts, mayLack);
}

function samePerturbation(a: RunInfo, b: RunInfo): boolean {
  const text = ({ config }: RunInfo) => JSON.stringify(sectionOf(config?.evaluation).perturbation);
  return text(a) === text(b);
}

function nothingShared(a: ComparedRun, b: ComparedRun): ConfigError {
  const name = ({ info, directory }: ComparedRun) =>
    `${directory.path} (${info.benchmark?.name ?? "no benchmark"})`;
  const empty = [a, b].filter((run) => run.episodes.size === 0);
  return new ConfigError("nothing_shared", `${name(a)} and ${name(b)} share no episode`, {
    hint:
      empty.length > 0
        ? `${empty.map((run) => run.directory.file("episodes")).join(" and ")} has no episodes yet`
        : "runs are compared episode by episode, so both must use the same benchmark",
  });
}

function checkProfiles(a: ComparedRun, b: ComparedRun): void {
  for (const [key, { profile, task }] of a.episodes) {
    const other = b.episodes.get(key)?.profile;
    if (other === undefined || other === profile) continue;
    throw new ConfigError(
      "different_profiles",
      `the runs use different metric profiles for ${task}: ${profile} and ${other}`,
      {
        where: b.directory.path,
        hint: `score one of them again: robot-eval score ${b.directory.path} --profile ${profile}`,
      },
    );
  }
}

/** Compares data digests, because episodes with the same name may have been edited between the runs. */
function checkData(a: ComparedRun, b: ComparedRun): void {
  for (const [task, digest] of Object.entries(a.info.data ?? {})) {
    const other = b.info.data?.[task];
    if (!other || other.sha256 === digest.sha256 || !sameKeys(a, b, task)) continue;
    throw new ConfigError(
      "different_data",
      `the episodes of ${task} have the same names, but the datasets differ`,
      {
        where: `sha256 ${digest.sha256.slice(0, 12)} in ${a.directory.path}, ${other.sha256.slice(0, 12)} in ${b.directory.path}`,
        hint: "run one of them again with the dataset of the other",
      },
    );
  }
}

function sameKeys(a: ComparedRun, b: ComparedRun, task: string): boolean {
  const keys = (run: ComparedRun) =>
    [...run.episodes].filter(([, episode]) => episode.task === task).map(([key]) => key);
  const ofA = keys(a);
  return ofA.length === keys(b).length && ofA.every((key) => b.episodes.has(key));
}

function checkInitialStates(a: ComparedRun, b: ComparedRun): void {
  const differing: string[] = [];
  let count = 0;
  for (const [key, { initialStateHash }] of a.episodes) {
    const other = b.episodes.get(key)?.initialStateHash ?? null;
    if (initialStateHash === null || other === null || initialStateHash === other) continue;
    count++;
    if (differing.length < NAMED) differing.push(key);
  }
  if (count === 0) return;
  const more = count > NAMED ? `, and ${count - NAMED} more` : "";
  throw new ConfigError(
    "different_episodes",
    `${count} of the shared episodes have different initial states: ${differing.join(", ")}${more}`,
    {
      where: b.directory.path,
      hint: startHint(a.info, b.info),
    },
  );
}

function startHint(a: RunInfo, b: RunInfo): string {
  if (a.seed !== b.seed) {
    return `the seeds differ, ${a.seed} and ${b.seed}: run one of them again with the seed of the other`;
  }
  const version = (info: RunInfo) => info.versions?.robot_eval ?? "unknown";
  return version(a) === version(b)
    ? "the dataset, a scene, the robot or the simulator's settings have changed: run one of them again"
    : `the runs were made with different versions of robot-eval, ${version(a)} and ${version(b)}: run one of them again`;
}

function checkSelections(
  a: ComparedRun,
  b: ComparedRun,
  counts: PairCounts,
  mayLack: (run: ComparedRun) => boolean,
): void {
  const same = sameSelection(a.info, b.info);
  // Episodes that an unfinished run has not reached are not a difference in selection.
  const isExcused = (run: ComparedRun) => (same && run.info.status !== "done") || mayLack(run);
  const missingInA = isExcused(a) ? 0 : counts.onlyB;
  const missingInB = isExcused(b) ? 0 : counts.onlyA;
  if (missingInA + missingInB === 0) return;
  throw new ConfigError(
    "different_selections",
    `the runs have different episodes: ${counts.shared} in both, ${counts.onlyA} only in ${a.directory.path}, ${counts.onlyB} only in ${b.directory.path}`,
    {
      hint: "add --shared to compare only the episodes that both have",
    },
  );
}

function sameSelection(a: RunInfo, b: RunInfo): boolean {
  const asked = ({ selection, data }: RunInfo) => {
    const digests = Object.entries(data ?? {}).map(([task, { sha256 }]) => `${task} ${sha256}`);
    const { shard = null, limit = null, first = null, filter = null } = selection ?? {};
    return JSON.stringify([shard, digests.length > 0 ? digests.sort() : [limit, first, filter]]);
  };
  return asked(a) === asked(b);
}

import { realpathSync } from "node:fs";
import { sectionOf } from "../recorded/recorded-config.js";
import { unsharedMetrics } from "./metrics.js";
import type { PairedRuns } from "./pair.js";
import type { ComparedRun } from "./read-run.js";

/** Caveats that affect how to read the numbers. */
export function notesOf(paired: PairedRuns): string[] {
  const { a, b } = paired;
  const each = [
    ["A", a, b],
    ["B", b, a],
  ] as const;
  return [
    ...(isSameRun(a, b) ? ["A and B are the same run"] : []),
    ...each.flatMap(([name, run]) => coverageNotes(name, run)),
    ...repeats(a, b),
    ...engines(a, b),
    ...each.flatMap(([name, run]) => invalidRepeats(name, run)),
    ...each.flatMap(([name, run, other]) => {
      const only = unsharedMetrics(run, other);
      return only.length > 0 ? [`only ${name} has ${only.join(", ")}`] : [];
    }),
  ];
}

/** Why a run does not have all of its benchmark's episodes. @param name the subject of the sentences */
export function coverageNotes(name: string, run: ComparedRun): string[] {
  return [...unfinished(name, run), ...partlyScored(name, run), ...stoppedEarly(name, run)];
}

export function isSameRun(a: ComparedRun, b: ComparedRun): boolean {
  return realpathSync(a.directory.path) === realpathSync(b.directory.path);
}

function unfinished(name: string, { info, episodes }: ComparedRun): string[] {
  if (info.status === "done") return [];
  const asked =
    info.data && info.selection?.shard === undefined
      ? Object.values(info.data).reduce((sum, task) => sum + task.episodes, 0)
      : 0;
  const had =
    asked > 0 ? `${episodes.size} of its ${asked} episodes are` : `${episodes.size} episodes are`;
  const words = {
    running: "is not finished (it is still running, or was killed)",
    cancelled: "was cancelled",
    failed: "failed",
  };
  return [`${name} ${words[info.status] ?? `has status ${info.status}`}: ${had} there`];
}

function partlyScored(name: string, { info: { partial } }: ComparedRun): string[] {
  if (!partial) return [];
  return [
    `${name} is partial: ${partial.scored} of ${partial.of} episodes were scored, and the others have no prediction`,
  ];
}

function stoppedEarly(name: string, { summary }: ComparedRun): string[] {
  return Object.entries(summary?.early_stop ?? {})
    .filter(([, stop]) => stop.reached)
    .map(([task, { counted, of, against }]) =>
      against
        ? `${name} was stopped in ${task} by a duel, after ${counted} of ${of} episodes: the duel has the valid verdict, and p here assumes a fixed number of episodes`
        : `${name} stopped ${task} early, after ${counted} of ${of} episodes, when its interval was narrow enough`,
    );
}

function repeats(a: ComparedRun, b: ComparedRun): string[] {
  if (a.repeats === 1 && b.repeats === 1) return [];
  const times = a.repeats === b.repeats ? `${a.repeats}` : `${a.repeats} (A) and ${b.repeats} (B)`;
  return [
    `episodes were run up to ${times} times: each counts once, as the mean over its judged repeats, so rates are compared by the paired t test and not by McNemar's`,
  ];
}

/** Simulators that do not play on the embedded MuJoCo. */
const OTHER_SIMULATORS: readonly unknown[] = ["graph", "navmesh", "remote"];
/** Task types that `backend: abstract` plays on it. */
const MUJOCO_TASKS: readonly unknown[] = ["manipulation", "rearrange"];

function usesMujoco({ info: { config } }: ComparedRun): boolean {
  const { backend } = sectionOf(config?.simulator);
  if (OTHER_SIMULATORS.includes(backend)) return false;
  if (backend !== undefined && backend !== "abstract") return true;
  return Object.values(sectionOf(config?.dataset)).some((one) =>
    MUJOCO_TASKS.includes(sectionOf(one).type),
  );
}

function engines(a: ComparedRun, b: ComparedRun): string[] {
  const versionsOf = ({ info: { versions, resumed = [] } }: ComparedRun) => [
    ...new Set(
      [versions, ...resumed.map((part) => part.versions)].flatMap((one) => one?.mujoco ?? []),
    ),
  ];
  const [ofA, ofB] = [versionsOf(a), versionsOf(b)];
  if (![a, b].some(usesMujoco) || ofA.length === 0 || ofB.length === 0) return [];
  if (new Set([...ofA, ...ofB]).size === 1) return [];
  return [
    `A was played on MuJoCo ${ofA.join(" and ")}, B on ${ofB.join(" and ")}: their contacts may differ, so a difference need not be the policy's`,
  ];
}

function invalidRepeats(name: string, { episodes, repeats: most }: ComparedRun): string[] {
  if (most === 1) return [];
  let lost = 0;
  for (const { trials } of episodes.values()) {
    const invalid = trials.filter(({ outcome }) => outcome === "invalid").length;
    if (invalid < trials.length) lost += invalid;
  }
  return lost > 0 ? [`${lost} repeats of compared episodes are invalid in ${name}`] : [];
}

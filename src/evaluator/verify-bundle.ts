import { isDeepStrictEqual } from "node:util";
import type { RunSummary } from "../core/interfaces/result.js";
import { createRegistries } from "../registry/registries.js";
import { type OpenBundle, openBundle } from "../runs/bundle/open-bundle.js";
import { DataDigester } from "../runs/data-digest.js";
import { RunDirectory } from "../runs/run-directory.js";
import { scoreRun } from "../runs/score-run.js";
import { readTrajectory } from "../runs/trajectory.js";
import type { ReplayReport } from "./replay/documents.js";
import { type ReplayOptions, replayRun } from "./replay/replay-run.js";

export interface VerifyOptions
  extends Pick<ReplayOptions, "workers" | "signal" | "onProgress" | "episode"> {
  /** File of the public key that must have signed it. */
  readonly key?: string | undefined;
  /** Scenes' files and navigation graphs, where the bundle has none. */
  readonly scenes?: string | undefined;
  readonly connectivity?: string | undefined;
}

/** One thing that was checked. */
export interface BundleCheck {
  readonly name: "files" | "signature" | "data" | "numbers" | "replay";
  /** `unknown` where there is nothing to check it by. */
  readonly status: "ok" | "failed" | "unknown";
  readonly text: string;
}

export interface VerifyReport {
  readonly format: "robot-eval-verify/1";
  readonly run_id: string;
  readonly benchmark: string;
  readonly agent: string;
  readonly verified: boolean;
  readonly checks: readonly BundleCheck[];
  readonly replay: ReplayReport;
}

/**
 * Checks a bundle: that its files are those that were put in, that the numbers follow from the recorded
 * steps, and that the recorded actions lead to the recorded steps again. A bundle that was changed is refused
 * with an error before anything in it is looked at.
 */
export async function verifyBundle(
  file: string,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const bundle = await openBundle(file, options.key);
  try {
    const { manifest } = bundle;
    const places = {
      scenes: options.scenes ?? bundle.scenes,
      connectivity: options.connectivity ?? bundle.connectivity,
    };
    const data = await checkData(bundle);
    const numbers = await checkNumbers(bundle, places);
    const replay = await replayRun(bundle.run, { ...options, ...places });
    const checks = [
      { name: "files", status: "ok", text: `${manifest.files.length} files, as they were put in` },
      signatureCheck(bundle, options.key),
      data,
      numbers,
      replayCheck(replay),
    ] as const satisfies BundleCheck[];
    return {
      format: "robot-eval-verify/1",
      run_id: manifest.run_id,
      benchmark: manifest.benchmark.name,
      agent: manifest.agent,
      verified: checks.every(({ status }) => status !== "failed"),
      checks,
      replay,
    };
  } finally {
    await bundle.close();
  }
}

function signatureCheck({ signedBy }: OpenBundle, key: string | undefined): BundleCheck {
  if (signedBy === undefined) return { name: "signature", status: "unknown", text: "not signed" };
  return key === undefined
    ? {
        name: "signature",
        status: "unknown",
        text: `by ${signedBy}; name the key that it should be`,
      }
    : { name: "signature", status: "ok", text: `by ${signedBy}` };
}

/** The episodes in the recorded files against the digest that was made when the run began. */
async function checkData({ run, manifest }: OpenBundle): Promise<BundleCheck> {
  const digests = new Map<string, DataDigester>();
  const directory = await RunDirectory.open(run);
  const { selection } = await directory.info();
  for await (const line of directory.episodes()) {
    const path = directory.trajectoryOf(line);
    if (line.repeat !== 0 || path === null) continue;
    const digester = digests.get(line.task) ?? new DataDigester();
    digests.set(line.task, digester);
    digester.add((await readTrajectory(path)).episode);
  }
  const found = Object.entries(manifest.data).map(([task, recorded]) => {
    const { episodes, sha256 } = digests.get(task)?.digest() ?? { episodes: 0, sha256: "" };
    return { task, whole: episodes === recorded.episodes, same: sha256 === recorded.sha256 };
  });
  const wrong = found.filter(({ whole, same }) => whole && !same).map(({ task }) => task);
  if (wrong.length > 0) {
    return {
      name: "data",
      status: "failed",
      text: `the episodes of ${wrong.join(", ")} are not those that the run was begun with`,
    };
  }
  const partial = found.filter(({ whole }) => !whole).map(({ task }) => task);
  if (partial.length === 0) return { name: "data", status: "ok", text: "all episodes, unchanged" };
  const why = selection.shard === undefined ? "not all of its episodes were judged" : "a shard";
  return { name: "data", status: "unknown", text: `${partial.join(", ")}: ${why}` };
}

/** The summary again from the recorded steps. */
async function checkNumbers(
  { run }: OpenBundle,
  places: Pick<VerifyOptions, "scenes" | "connectivity">,
): Promise<BundleCheck> {
  const registries = createRegistries();
  const again = await scoreRun({ path: run, outDir: null, registries, ...places });
  const recorded = await (await RunDirectory.open(run)).summary();
  const differing = Object.keys(recorded.per_task).filter(
    (task) => !isDeepStrictEqual(numbersOf(recorded, task), numbersOf(again, task)),
  );
  return differing.length === 0
    ? { name: "numbers", status: "ok", text: "every mean follows from the recorded steps" }
    : { name: "numbers", status: "failed", text: `other numbers for ${differing.join(", ")}` };
}

/** Intervals of a run that could stop early hold whenever it stops, and are not made again from its lines. */
function numbersOf({ per_task }: RunSummary, task: string) {
  return Object.entries(per_task[task] ?? {}).map(([name, { mean, std, count, n_invalid }]) => ({
    name,
    mean,
    std,
    count,
    n_invalid,
  }));
}

function replayCheck({ replayed, equal, skipped }: ReplayReport): BundleCheck {
  const left = skipped.length > 0 ? `, ${skipped.length} were not` : "";
  const text = `${equal} of ${replayed} episodes are equal to the last bit when replayed${left}`;
  return { name: "replay", status: equal === replayed ? "ok" : "failed", text };
}

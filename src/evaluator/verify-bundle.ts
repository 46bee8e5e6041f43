import { ConfigError, DataError } from "../core/errors.js";
import { createRegistries } from "../registry/registries.js";
import { type OpenBundle, openBundle } from "../runs/bundle/open-bundle.js";
import { relocate, type Substitutes } from "../runs/bundle/relocate.js";
import { RunDirectory } from "../runs/run-directory.js";
import type { ReplayReport } from "./replay/documents.js";
import { type ReplayOptions, replayRun } from "./replay/replay-run.js";
import { checkBenchmark } from "./verify/check-benchmark.js";
import { checkData } from "./verify/check-data.js";
import { checkNumbers } from "./verify/check-numbers.js";
import { checkFolders, checkScenes } from "./verify/check-scenes.js";
import type { BundleCheck, Checked, Finding, VerifyReport } from "./verify/documents.js";
import { ownPlan } from "./verify/own-plan.js";

export interface VerifyOptions
  extends Pick<ReplayOptions, "workers" | "signal" | "onProgress">,
    Substitutes {
  /** File of the public key that must have signed it. */
  readonly key?: string | undefined;
  /** File of the benchmark that it should be a result of, with its dataset. */
  readonly benchmark?: string | undefined;
  /** Told what is about to be done. */
  readonly onStage?: ((text: string) => void) | undefined;
}

/**
 * Checks a bundle: that its files are those that were put in, that they tell one story, that the numbers
 * follow from the recorded steps, and that the recorded actions lead to the recorded steps again. A
 * bundle that was changed is refused with an error before anything in it is looked at.
 *
 * @example
 * const { verified, checks } = await verifyBundle("result.bundle.tgz", { key: "public.pem" });
 */
export async function verifyBundle(
  file: string,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const { key, signal, onStage } = options;
  onStage?.("unpacking");
  const bundle = await openBundle(file, { key, signal });
  try {
    checkFolders(bundle.manifest, options);
    checkPlugins(bundle, options);
    const info = await relocate(bundle, options);
    const checked = { bundle, run: await RunDirectory.open(bundle.run), info, signal };
    return await report(checked, options);
  } finally {
    await bundle.close();
  }
}

async function report(checked: Checked, options: VerifyOptions): Promise<VerifyReport> {
  const { onStage } = options;
  const own = await ownPlan(checked, options.benchmark);
  onStage?.("checking the records");
  const checks: BundleCheck[] = [
    { name: "files", status: "ok", text: filesText(checked.bundle) },
    { name: "signature", ...signatureCheck(checked.bundle, options.key) },
    { name: "benchmark", ...(await tried(() => checkBenchmark(checked, own?.loaded))) },
    { name: "data", ...(await tried(() => checkData(checked, own))) },
    { name: "scenes", ...(await tried(() => checkScenes(checked, options, createRegistries()))) },
    { name: "numbers", ...(await tried(() => checkNumbers(checked, createRegistries()))) },
  ];
  onStage?.("replaying");
  let replay: ReplayReport | null = null;
  const last = await tried(async () => {
    const { workers, signal, onProgress } = options;
    replay = await replayRun(checked.run.path, { workers, signal, onProgress });
    return replayCheck(replay);
  });
  return finished(checked.bundle, [...checks, { name: "replay", ...last }], replay);
}

function finished(
  { manifest, signedBy }: OpenBundle,
  checks: readonly BundleCheck[],
  replay: ReplayReport | null,
): VerifyReport {
  const { run_id, benchmark, agent, data, plugins } = manifest;
  const stopped = replay?.interrupted === true;
  return {
    format: "robot-eval-verify/1",
    ...{ run_id, benchmark, agent, data, plugins },
    signed_by: signedBy ?? null,
    verified: !stopped && checks.every(({ status }) => status !== "failed"),
    checks,
    warnings: replay?.warnings ?? [],
    replay,
    ...(stopped ? { interrupted: true } : {}),
  };
}

/** What is wrong with the bundle's content is what was asked; what is wrong with the question is an error. */
async function tried(work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DataError) || error.exitCode === 4) throw error;
    return { status: "failed", text: error.message };
  }
}

/** Plugins are code: only what is named by whoever checks is run, whatever the bundle says. */
function checkPlugins({ manifest: { plugins } }: OpenBundle, given: VerifyOptions): void {
  if (plugins.length === 0 || given.plugins !== undefined) return;
  throw new ConfigError(
    "missing_plugins",
    `the run was made with ${plugins.length === 1 ? "a plugin" : "plugins"} that a bundle does not hold: ${plugins.join(", ")}`,
    {
      where: "--plugin",
      hint: "get them from whoever made the bundle, look at what they do, and name each file or installed package: --plugin <module>",
    },
  );
}

function filesText({ manifest: { files } }: OpenBundle): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${files.length} files of ${size} together, as they were put in`;
}

function signatureCheck({ signedBy }: OpenBundle, key: string | undefined): Finding {
  if (signedBy === undefined) return { status: "unknown", text: "nobody has signed it" };
  if (key !== undefined) return { status: "ok", text: `by ${signedBy}` };
  return { status: "unknown", text: `by ${signedBy}; whose key that is, --key can tell` };
}

function replayCheck({ replayed, equal, total, skipped, interrupted }: ReplayReport): Finding {
  const text = `${equal} of ${replayed} episodes are equal to the last bit when replayed`;
  if (equal < replayed) return { status: "failed", text };
  if (interrupted) return { status: "unknown", text: `${text}; stopped before all ${total}` };
  if (skipped.length === 0) return { status: "ok", text };
  const invalid = `${skipped.length} invalid ${skipped.length === 1 ? "one" : "ones"}`;
  return { status: "ok", text: `${text}; of ${invalid}, which count in no mean, nothing is known` };
}

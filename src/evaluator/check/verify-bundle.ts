import { ConfigError, DataError } from "../../core/errors.js";
import { programRegistries } from "../../registry/default.js";
import { type OpenBundle, openBundle } from "../../runs/bundle/open-bundle.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { type RunPermissions, recordedBenchmark } from "../../runs/recorded/recorded-benchmark.js";
import type { ReplayReport } from "./replay/documents.js";
import { REPLAY_USES } from "./replay/replay-plan.js";
import { type ReplayOptions, replayRun } from "./replay/replay-run.js";
import { checkBenchmark } from "./verify/check-benchmark.js";
import { checkData } from "./verify/check-data.js";
import { checkNumbers } from "./verify/check-numbers.js";
import { checkFolders, checkScenes } from "./verify/check-scenes.js";
import type {
  BundleCheck,
  Checked,
  EpisodeCount,
  Finding,
  OwnSelection,
  VerifyReport,
} from "./verify/documents.js";
import { ownPlan } from "./verify/own-data.js";

export interface VerifyOptions
  extends Pick<ReplayOptions, "workers" | "signal" | "onProgress">,
    Omit<RunPermissions, "agent" | "bundle">,
    OwnSelection {
  /** Public key file; the bundle must be signed with its private key. */
  readonly key?: string | undefined;
  /** Called before each stage. */
  readonly onStage?: ((text: string) => void) | undefined;
}

/**
 * Checks a bundle: its files have their recorded hashes, its documents agree with each other, its metrics follow
 * from the recorded steps, and its recorded actions reproduce these steps. A bundle whose files were changed is
 * rejected before its content is read.
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
    const run = await RunDirectory.open(bundle.run);
    const info = await run.info();
    const permissions = permissionsOf(bundle, options);
    // Report missing permissions for the replay first.
    recordedBenchmark(run, info, REPLAY_USES, permissions);
    return await report({ bundle, run, info, permissions, signal }, options);
  } finally {
    await bundle.close();
  }
}

async function report(checked: Checked, options: VerifyOptions): Promise<VerifyReport> {
  const { onStage } = options;
  const own = await ownPlan(checked, options.benchmark, selectionIn(options));
  onStage?.("checking the records");
  const data = { episodes: NOT_COUNTED, ...(await tried(() => checkData(checked, own))) };
  const checks: BundleCheck[] = [
    { name: "files", status: "ok", text: filesText(checked.bundle) },
    { name: "signature", ...signatureCheck(checked.bundle, options.key) },
    { name: "benchmark", ...(await tried(() => checkBenchmark(checked, own))) },
    { name: "data", status: data.status, text: data.text },
    { name: "scenes", ...(await tried(() => checkScenes(checked, programRegistries()))) },
    { name: "numbers", ...(await tried(() => checkNumbers(checked, programRegistries()))) },
  ];
  onStage?.("replaying");
  let replay: ReplayReport | null = null;
  const last = await tried(async () => {
    const { workers, signal, onProgress } = options;
    replay = await replayRun(checked.run.path, {
      ...checked.permissions,
      ...{ workers, signal, onProgress },
    });
    return replayCheck(replay);
  });
  return finished(checked.bundle, [...checks, { name: "replay", ...last }], replay, data.episodes);
}

function finished(
  { manifest, signedBy }: OpenBundle,
  checks: readonly BundleCheck[],
  replay: ReplayReport | null,
  episodes: EpisodeCount,
): VerifyReport {
  const { run_id, benchmark, agent, data, plugins } = manifest;
  const verdict = verdictOf(checks, replay);
  return {
    format: "robot-eval-verify/1",
    ...{ run_id, benchmark, agent, data, plugins },
    signed_by: signedBy ?? null,
    verified: verdict === "verified",
    verdict,
    episodes,
    attested: { by: signedBy === undefined ? "nobody" : "signature", fields: ATTESTED },
    checks,
    warnings: replay?.warnings ?? [],
    replay,
    ...(verdict === "interrupted" ? { interrupted: true } : {}),
  };
}

/** Fields that nothing else in a bundle can confirm; only the signature attests them. */
const ATTESTED = [
  "run.json: run_id, agent, name, tags, policies, versions, parity, started_at, finished_at, resumed, merged, cluster, warnings",
  "episodes.jsonl: attempt, wall_ms, sim_ms, agent_ms, agent_latency_ms, video, geometry",
  "episodes.jsonl, of invalid episodes: that they are invalid, fault, end_reason, error, explanation",
  "episodes.jsonl, of episodes that the agent broke off: end_reason, error, explanation",
  "summary.json: timings but for steps",
  "log.jsonl, set_aside.jsonl, videos/, geometry/",
];

function verdictOf(
  checks: readonly BundleCheck[],
  replay: ReplayReport | null,
): VerifyReport["verdict"] {
  if (replay?.interrupted === true) return "interrupted";
  const has = (status: BundleCheck["status"]) => checks.some((one) => one.status === status);
  if (has("failed")) return "not_verified";
  return has("partial") ? "partial" : "verified";
}

function selectionIn({ limit, filter, shard, seed, set }: VerifyOptions): OwnSelection {
  return { limit, filter, shard, seed, ...(set ? { set } : {}) };
}

const NOT_COUNTED: EpisodeCount = { judged: 0, invalid: 0, of: null };

/** A data error in the bundle is a finding; any other error is thrown. */
async function tried<T extends Finding>(work: () => Promise<T>): Promise<T | Finding> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DataError) || error.exitCode === 4) throw error;
    return { status: "failed", text: error.message };
  }
}

function permissionsOf({ folder, manifest }: OpenBundle, options: VerifyOptions): RunPermissions {
  const { benchmark, simulator, plugins, scenes, connectivity } = options;
  return {
    ...{ benchmark, simulator, plugins, scenes, connectivity },
    bundle: { folder, places: manifest.places },
  };
}

/** Plugins are code, so only those that the caller names are loaded. */
function checkPlugins({ manifest: { plugins } }: OpenBundle, given: VerifyOptions): void {
  if (plugins.length === 0 || given.plugins !== undefined || given.benchmark !== undefined) return;
  throw new ConfigError(
    "missing_plugins",
    `the run was made with ${plugins.length === 1 ? "a plugin" : "plugins"} that a bundle does not hold: ${plugins.join(", ")}`,
    {
      where: "--plugin",
      hint: "get them from the bundle's author, review them, and name each file or installed package: --plugin <module>",
    },
  );
}

function filesText({ manifest: { files } }: OpenBundle): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${files.length} files of ${size} with their recorded hashes`;
}

function signatureCheck({ signedBy }: OpenBundle, key: string | undefined): Finding {
  if (signedBy === undefined) return { status: "unknown", text: "not signed" };
  if (key !== undefined) return { status: "ok", text: `by ${signedBy}` };
  return {
    status: "unknown",
    text: `by ${signedBy}; name the public key with --key to check whose key that is`,
  };
}

function replayCheck(report: ReplayReport): Finding {
  const { replayed, equal, errors, total, skipped, interrupted } = report;
  const text = `${equal} of ${replayed} episodes are equal to the last bit when replayed`;
  if (errors[0]) {
    const failed = `${errors.length} could not be replayed: ${errors[0].why}`;
    return { status: "failed", text: `${text}; ${failed}` };
  }
  if (equal < replayed) return { status: "failed", text };
  if (interrupted) return { status: "unknown", text: `${text}; stopped before all ${total}` };
  // A line may say of itself that its simulator is not deterministic, and so escape the replay.
  const counted = skipped.filter(({ why }) => !why.startsWith("invalid: "));
  const [first] = counted;
  if (first) {
    const what = `${counted.length} that count cannot be replayed: ${first.why}`;
    return { status: "partial", text: `${text}; ${what}` };
  }
  if (skipped.length === 0) return { status: "ok", text };
  const invalid = `${skipped.length} invalid ${skipped.length === 1 ? "one" : "ones"}`;
  return { status: "ok", text: `${text}; ${invalid} cannot be checked and count in no mean` };
}

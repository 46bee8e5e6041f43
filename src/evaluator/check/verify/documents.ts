import type { RunInfo } from "../../../core/interfaces/result.js";
import type { BundleManifest } from "../../../runs/bundle/manifest.js";
import type { OpenBundle } from "../../../runs/bundle/open-bundle.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import type { RunPermissions } from "../../../runs/recorded/recorded-benchmark.js";
import type { ReplayReport } from "../replay/documents.js";

type CheckName = "files" | "signature" | "benchmark" | "data" | "scenes" | "numbers" | "replay";

/** The result of one check. */
export interface BundleCheck {
  readonly name: CheckName;
  /** `unknown`: it cannot be checked. `partial`: expected episodes are missing. */
  readonly status: "ok" | "failed" | "partial" | "unknown";
  readonly text: string;
}

export type Finding = Omit<BundleCheck, "name">;

/** The report of `verifyBundle`, with the keys of its JSON document. */
export interface VerifyReport
  extends Pick<BundleManifest, "run_id" | "benchmark" | "agent" | "data" | "plugins"> {
  readonly format: "robot-eval-verify/1";
  /** Fingerprint of the signing key; null if the bundle is not signed. */
  readonly signed_by: string | null;
  /** True if no check failed, no episode is missing and every check ran. */
  readonly verified: boolean;
  readonly verdict: "verified" | "partial" | "not_verified" | "interrupted";
  /** Valid results and the expected number: from the checker's benchmark, else as the run claims. */
  readonly episodes: EpisodeCount;
  /** Fields that no check can confirm, and what attests them. */
  readonly attested: Attested;
  readonly checks: readonly BundleCheck[];
  readonly warnings: readonly string[];
  /** Null if the replay could not start; its check has the reason. */
  readonly replay: ReplayReport | null;
  /** Interrupted before the last episode. */
  readonly interrupted?: true;
}

export interface EpisodeCount {
  /** Valid results. */
  readonly judged: number;
  readonly invalid: number;
  /** Expected number; null if unknown. */
  readonly of: number | null;
}

interface Attested {
  /** `nobody` if the bundle is not signed. */
  readonly by: "signature" | "nobody";
  readonly fields: readonly string[];
}

/** The checker's selection from the checker's benchmark. The run's selection is ignored. */
export interface OwnSelection {
  readonly limit?: number | undefined;
  readonly first?: number | undefined;
  readonly filter?: string | undefined;
  readonly shard?: string | undefined;
  readonly seed?: number | undefined;
  /** `path=value` each. */
  readonly set?: readonly string[] | undefined;
}

/** A bundle that is being checked. */
export interface Checked {
  readonly bundle: OpenBundle;
  /** The unpacked run. */
  readonly run: RunDirectory;
  readonly info: RunInfo;
  /** What the bundle may use on this machine: its own folders, and what the checker named. */
  readonly permissions: RunPermissions;
  readonly signal: AbortSignal | undefined;
}

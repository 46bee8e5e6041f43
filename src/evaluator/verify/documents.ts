import type { RunInfo } from "../../core/interfaces/result.js";
import type { BundleManifest } from "../../runs/bundle/manifest.js";
import type { OpenBundle } from "../../runs/bundle/open-bundle.js";
import type { RunDirectory } from "../../runs/run-directory.js";
import type { ReplayReport } from "../replay/documents.js";

type CheckName = "files" | "signature" | "benchmark" | "data" | "scenes" | "numbers" | "replay";

/** One thing that was checked. */
export interface BundleCheck {
  readonly name: CheckName;
  /** `unknown` where there is nothing to check it by. */
  readonly status: "ok" | "failed" | "unknown";
  readonly text: string;
}

export type Finding = Omit<BundleCheck, "name">;

/** What `verifyBundle` found. Keys are those of the JSON document. */
export interface VerifyReport
  extends Pick<BundleManifest, "run_id" | "benchmark" | "agent" | "data" | "plugins"> {
  readonly format: "robot-eval-verify/1";
  /** Fingerprint of the key; null where nobody signed. */
  readonly signed_by: string | null;
  /** Nothing failed, and everything was looked at. */
  readonly verified: boolean;
  readonly checks: readonly BundleCheck[];
  readonly warnings: readonly string[];
  /** Null where it could not be begun; the check says why. */
  readonly replay: ReplayReport | null;
  /** It was stopped before the last episode. */
  readonly interrupted?: true;
}

/** A bundle that is being checked. */
export interface Checked {
  readonly bundle: OpenBundle;
  /** The unpacked run, whose benchmark names folders of this machine. */
  readonly run: RunDirectory;
  /** What its run.json said before. */
  readonly info: RunInfo;
  readonly signal: AbortSignal | undefined;
}

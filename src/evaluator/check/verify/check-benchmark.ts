import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { type LoadedConfig, parseConfig } from "../../../config/load.js";
import { show } from "../../../core/errors.js";
import type { RunInfo } from "../../../core/interfaces/result.js";
import { claimsOf } from "../../../runs/bundle/manifest.js";
import { configDifferences, isLocation } from "../../../runs/compare/config-diff.js";
import { readPlain } from "../../../runs/directory/plain-files.js";
import { PACKAGE_VERSION } from "../../../runs/directory/versions.js";
import { recordedConfig } from "../../../runs/recorded/recorded-config.js";
import type { RunPlan } from "../../plan/prepare.js";
import { withOverrides } from "../../record/run-info.js";
import { firstDifference } from "../replay/difference.js";
import type { Checked, Finding } from "./documents.js";

/** Differing keys that a finding names. */
const MOST_SHOWN = 3;

/**
 * Checks that the manifest, run.json and benchmark.yaml describe the same run.
 *
 * @param own the checker's benchmark; it must have the same settings
 */
export async function checkBenchmark(
  { bundle: { manifest }, run, info }: Checked,
  own: Pick<RunPlan, "loaded" | "seed"> | undefined,
): Promise<Finding> {
  const claims = claimsOf(info);
  const { format, places, scenes, files, ...said } = manifest;
  const other = firstDifference(said, claims);
  if (other) {
    const [manifestSays, runSays] = [show(other.recorded, 40), show(other.now, 40)];
    return failed(`${other.field}: the manifest says ${manifestSays}, run.json ${runSays}`);
  }
  const text = (await readPlain(run.file("benchmark"))).toString("utf8");
  const sha256 = createHash("sha256").update(text).digest("hex");
  if (sha256 !== info.benchmark.sha256) {
    return failed("benchmark.yaml does not have the hash in run.json");
  }
  const { file = "benchmark.yaml", set = [] } = info.benchmark;
  const written = parseConfig(text, { file, baseDir: dirname(file), set });
  const problem =
    differing(info, written, "benchmark.yaml") ??
    (own && differing({ ...info, seed: own.seed }, own.loaded, own.loaded.file));
  if (problem !== undefined) return failed(problem);
  const changes = set.length > 0 ? ` and --set ${set.join(" --set ")}` : "";
  const same = own ? `, the same as in ${own.loaded.file}` : "";
  return { status: "ok", text: `the run's settings are those of benchmark.yaml${changes}${same}` };
}

function differing(info: RunInfo, given: LoadedConfig, name: string): string | undefined {
  const asked = withOverrides(recordedConfig(given), info.agent, info.seed);
  // A later version may have settings that did not exist when the run was recorded.
  const isLater = info.versions.robot_eval !== PACKAGE_VERSION;
  const found = configDifferences(info.config, asked).filter(
    ({ key, a }) => !isLocation(key) && !(isLater && a === undefined),
  );
  if (found.length === 0) return undefined;
  const texts = found
    .slice(0, MOST_SHOWN)
    .map(({ key, a, b }) => `${key} was ${show(a, 40)}, and ${name} says ${show(b, 40)}`);
  const more = found.length - texts.length;
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function failed(text: string): Finding {
  return { status: "failed", text };
}

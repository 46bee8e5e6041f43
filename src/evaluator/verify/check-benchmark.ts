import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type LoadedConfig, parseConfig } from "../../config/load.js";
import { show } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { claimsOf } from "../../runs/bundle/claims.js";
import { configDifferences } from "../../runs/config-diff.js";
import { isPlace } from "../../runs/places.js";
import { recordedConfig } from "../../runs/recorded-config.js";
import { PACKAGE_VERSION } from "../../runs/versions.js";
import { firstDifference } from "../replay/difference.js";
import { withOverrides } from "../run-info.js";
import type { Checked, Finding } from "./documents.js";

/** Differing keys that are told. */
const MOST_SHOWN = 3;

/**
 * That the manifest, run.json and benchmark.yaml tell the same story: what is to be believed of the numbers
 * is what they are numbers of.
 *
 * @param own the benchmark of whoever checks, which must say the same
 */
export async function checkBenchmark(
  { bundle: { manifest }, run, info }: Checked,
  own: LoadedConfig | undefined,
): Promise<Finding> {
  const claims = claimsOf(info);
  const { format, places, scenes, files, ...said } = manifest;
  const other = firstDifference(said, claims);
  if (other) {
    const [manifestSays, runSays] = [show(other.recorded, 40), show(other.now, 40)];
    return failed(`${other.field}: the manifest says ${manifestSays}, run.json ${runSays}`);
  }
  const text = await readFile(run.file("benchmark"), "utf8");
  const sha256 = createHash("sha256").update(text).digest("hex");
  if (sha256 !== info.benchmark.sha256) {
    return failed("benchmark.yaml is not the one that run.json names");
  }
  const { file = "benchmark.yaml", set = [] } = info.benchmark;
  const written = parseConfig(text, { file, baseDir: dirname(file), set });
  const problem =
    differing(info, written, "benchmark.yaml") ?? (own && differing(info, own, own.file));
  if (problem !== undefined) return failed(problem);
  const changes = set.length > 0 ? ` and --set ${set.join(" --set ")}` : "";
  const same = own ? `, the same as in ${own.file}` : "";
  return { status: "ok", text: `the run's settings are those of benchmark.yaml${changes}${same}` };
}

function differing(info: RunInfo, given: LoadedConfig, name: string): string | undefined {
  const asked = withOverrides(recordedConfig(given), info.agent, info.seed);
  // A later version may know settings that were not there to be recorded.
  const isLater = info.versions.robot_eval !== PACKAGE_VERSION;
  const found = configDifferences(info.config, asked).filter(
    ({ key, a }) => !isPlace(key) && !(isLater && a === undefined),
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

import { ConfigError, RobotEvalError } from "../../core/errors.js";
import { getProfile } from "../../core/profiles.js";
import type { Registries } from "../../registry/registries.js";
import { at } from "../../registry/resolved-task.js";
import type { RunPermissions } from "../recorded/recorded-benchmark.js";

/** Options common to all kinds of scoring. */
export interface ScoreOptions extends Pick<RunPermissions, "plugins" | "benchmark" | "bundle"> {
  readonly path: string;
  /** Replaces the profile of the run or the format. */
  readonly profile?: string | undefined;
  readonly metrics?: readonly string[] | undefined;
  /** `path=value` each: changed scoring settings. Not for results files. */
  readonly set?: readonly string[] | undefined;
  readonly connectivity?: string | undefined;
  /** Folder of scene files. */
  readonly scenes?: string | undefined;
  /** Parent folder of the new run directory; null writes nothing. */
  readonly outDir: string | null;
  readonly registries: Registries;
  /** Called with the names of the metrics before anything is written. */
  readonly onMetrics?: ((names: Readonly<Record<string, readonly string[]>>) => void) | undefined;
  /** When aborted, scoring ends with an error and leaves no files. */
  readonly signal?: AbortSignal | undefined;
}

/** Reports wrong names with their flag; later they are part of a generated benchmark. */
export function checkScoreOptions({ profile, metrics = [], registries }: ScoreOptions): void {
  if (profile !== undefined) at("--profile", () => getProfile(profile));
  for (const [i, name] of metrics.entries()) {
    at("--metrics", () => registries.metrics.get(name));
    if (metrics.indexOf(name) === i) continue;
    throw new ConfigError("duplicate_metric", `"${name}" is listed twice`, { where: "--metrics" });
  }
}

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new RobotEvalError("interrupted", "interrupted; nothing was written", { exitCode: 130 });
}

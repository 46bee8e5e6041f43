import { ConfigError, RobotEvalError } from "../core/errors.js";
import { getProfile } from "../core/profiles.js";
import type { Registries } from "../registry/registries.js";
import { at } from "./judged-task.js";

/** What scoring takes, whatever is scored. */
export interface ScoreOptions {
  readonly path: string;
  /** In place of the run's own, or the format's. */
  readonly profile?: string | undefined;
  readonly metrics?: readonly string[] | undefined;
  /** `path=value` each: other settings of what judges. Of a results file there are none. */
  readonly set?: readonly string[] | undefined;
  readonly connectivity?: string | undefined;
  /** Folder of the scenes' files. */
  readonly scenes?: string | undefined;
  /** Parent folder of the run directory that is made; null writes nothing. */
  readonly outDir: string | null;
  readonly registries: Registries;
  /** Called with the names of the metrics before anything is written. */
  readonly onMetrics?: ((names: readonly string[]) => void) | undefined;
  /** When aborted, scoring ends with an error and leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
}

/** Wrong names are said here, by their flag: further on they are part of a benchmark nobody wrote. */
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

import type { RunInfo } from "../../core/interfaces/result.js";
import type { BundleManifest } from "./manifest.js";

type Claims = Pick<
  BundleManifest,
  "run_id" | "benchmark" | "agent" | "versions" | "plugins" | "data"
>;

/** What a manifest says of the run; the run's own record must say the same. */
export function claimsOf({ run_id, benchmark, agent, versions, config, data }: RunInfo): Claims {
  const { plugins } = config;
  return {
    run_id,
    benchmark: { name: benchmark.name, sha256: benchmark.sha256 },
    agent,
    versions: { ...versions },
    plugins: Array.isArray(plugins) ? plugins.map(String) : [],
    data: Object.fromEntries(
      Object.entries(data ?? {}).map(([task, { episodes, sha256 }]) => [
        task,
        { episodes, sha256 },
      ]),
    ),
  };
}

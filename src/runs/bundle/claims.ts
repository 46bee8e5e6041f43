import type { RunInfo } from "../../core/interfaces/result.js";
import type { BundleManifest } from "./manifest.js";

type Claims = Pick<
  BundleManifest,
  "run_id" | "benchmark" | "agent" | "versions" | "plugins" | "data"
>;

/** The fields of run.json that the manifest repeats; both must agree. */
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

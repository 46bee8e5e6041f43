import { z } from "zod";
import type { RunInfo } from "../../core/interfaces/result.js";
import { FILES } from "../directory/run-files.js";

/** The archive contains `manifest.json` first, then the optional signature, then the files. */
export const MANIFEST = "manifest.json";
export const SIGNATURE = "signature.json";

/** Top-level folders of a bundle. */
export const PARTS = { run: "run", scenes: "scenes", graphs: "graphs" } as const;

const sha256 = () => z.string().regex(/^[0-9a-f]{64}$/);

/** A relative path with forward slashes that stays inside the folder in which the bundle is unpacked. */
const path = () =>
  z.string().max(4096).refine(isInside, "expected a relative path inside the bundle");

const fileSchema = z.object({ path: path(), bytes: z.int().min(0), sha256: sha256() });

const sceneSchema = z.object({
  task: z.string(),
  scene_id: z.string(),
  /** `generated`: generated from the scene id alone. */
  source: z.enum(["files", "generated"]),
  /** Files of the scene, included in the bundle or not. */
  files: z.array(fileSchema),
  /** Reason why the files are not in the bundle. */
  left_out: z.string().optional(),
});

/** manifest.json: the files of a bundle, and the benchmark, agent and versions of its run. */
export const manifestSchema = z.object({
  format: z.literal("robot-eval-bundle/1"),
  run_id: z.string(),
  benchmark: z.object({ name: z.string(), sha256: z.string() }),
  agent: z.string(),
  /** Versions of the software that made the run. */
  versions: z.record(z.string(), z.string()),
  /** Plugins that the run used; their code is not in the bundle. */
  plugins: z.array(z.string()),
  data: z.record(z.string(), z.object({ episodes: z.int(), sha256: sha256() })),
  /** For each task, the folders in the bundle that replace those in the benchmark config. */
  places: z.record(
    z.string(),
    z.object({ scenes: path().optional(), connectivity: path().optional() }),
  ),
  scenes: z.array(sceneSchema),
  files: z.array(
    fileSchema.extend({ path: path().refine(hasPlace, "a bundle cannot contain this file") }),
  ),
});

export type BundleManifest = z.output<typeof manifestSchema>;
export type BundleFile = z.output<typeof fileSchema>;
export type BundleScene = z.output<typeof sceneSchema>;

function isInside(text: string): boolean {
  const names = text.split("/");
  return (
    !/[\\\0]/.test(text) && names.every((name) => name !== "" && name !== "." && name !== "..")
  );
}

/**
 * The run files that a bundle may contain. No other names are allowed, so that nothing in an unpacked bundle can be
 * resolved as a package.
 */
const RUN_FILES: ReadonlySet<string> = new Set([
  ...[FILES.info, FILES.benchmark, FILES.episodes, FILES.setAside, FILES.summary, FILES.eventLog],
]);
const RUN_FOLDERS: ReadonlySet<string> = new Set([
  FILES.trajectories,
  FILES.videos,
  FILES.geometry,
]);

function hasPlace(text: string): boolean {
  const [part = "", first = "", ...rest] = text.split("/");
  if (part !== PARTS.run) return (part === PARTS.scenes || part === PARTS.graphs) && first !== "";
  return rest.length === 0 ? RUN_FILES.has(first) : rest.length === 1 && RUN_FOLDERS.has(first);
}

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

import { z } from "zod";
import { FILES } from "../run-files.js";

/** `manifest.json` is first in the archive, the signature second where there is one; then the files. */
export const MANIFEST = "manifest.json";
export const SIGNATURE = "signature.json";

/** Where the parts of a bundle stand in it. */
export const PARTS = { run: "run", scenes: "scenes", graphs: "graphs" } as const;

const sha256 = () => z.string().regex(/^[0-9a-f]{64}$/);

/** Slashes between names: nothing that leads out of the folder that a bundle is unpacked in. */
const path = () => z.string().max(4096).refine(isInside, "it leads out of the bundle, or is none");

const fileSchema = z.object({ path: path(), bytes: z.int().min(0), sha256: sha256() });

const sceneSchema = z.object({
  task: z.string(),
  scene_id: z.string(),
  /** `generated`: made from its id, and from nothing else. */
  source: z.enum(["files", "generated"]),
  /** What it is made of, whether that is in the bundle or not. */
  files: z.array(fileSchema),
  /** Why its files are not in the bundle. */
  left_out: z.string().optional(),
});

/** manifest.json: what a bundle holds, and of what it is a result. */
export const manifestSchema = z.object({
  format: z.literal("robot-eval-bundle/1"),
  run_id: z.string(),
  benchmark: z.object({ name: z.string(), sha256: z.string() }),
  agent: z.string(),
  /** Of what the run was made with. */
  versions: z.record(z.string(), z.string()),
  /** Code that the run needed beside these; it is not in the bundle. */
  plugins: z.array(z.string()),
  data: z.record(z.string(), z.object({ episodes: z.int(), sha256: sha256() })),
  /** By task: the folders in the bundle that stand for those of the benchmark. */
  places: z.record(
    z.string(),
    z.object({ scenes: path().optional(), connectivity: path().optional() }),
  ),
  scenes: z.array(sceneSchema),
  files: z.array(
    fileSchema.extend({ path: path().refine(hasPlace, "a bundle has no such files") }),
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
 * Of a run only the files that this project writes, and none by a name of its author's choice: what is
 * unpacked must not be taken for a package by whoever looks for one.
 */
const RUN_FILES: ReadonlySet<string> = new Set([
  ...[FILES.info, FILES.benchmark, FILES.episodes, FILES.setAside, FILES.summary, FILES.log],
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

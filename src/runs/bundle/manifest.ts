import { z } from "zod";

/** Beside the run's files: `manifest.json` is first in the archive, the signature second. */
export const MANIFEST = "manifest.json";
export const SIGNATURE = "signature.json";

/** Where the parts of a bundle stand in it. */
export const PARTS = { run: "run", scenes: "scenes", graphs: "graphs" } as const;

const sha256 = () => z.string().regex(/^[0-9a-f]{64}$/);

const fileSchema = z.object({
  path: z.string().min(1),
  bytes: z.int().min(0),
  sha256: sha256(),
});

const sceneSchema = z.object({
  task: z.string(),
  scene_id: z.string(),
  /** Paths of its files in the bundle. */
  files: z.array(z.string()),
  /** Why there are none: it is made from its id, or it was left out. */
  note: z.string().optional(),
});

/** manifest.json: what a bundle holds, and of what it is a result. */
export const manifestSchema = z.object({
  format: z.literal("robot-eval-bundle/1"),
  run_id: z.string(),
  benchmark: z.object({ name: z.string(), sha256: z.string() }),
  agent: z.string(),
  /** Of what the run was made with. */
  versions: z.record(z.string(), z.string()),
  data: z.record(z.string(), z.object({ episodes: z.int(), sha256: sha256() })),
  scenes: z.array(sceneSchema),
  files: z.array(fileSchema),
});

export type BundleManifest = z.output<typeof manifestSchema>;
export type BundleFile = z.output<typeof fileSchema>;
export type BundleScene = z.output<typeof sceneSchema>;

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Document } from "@gltf-transform/core";
import { afterAll } from "vitest";
import { loadConfig } from "../../../config/load.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import { type EvaluatorOptions, UnifiedRobotEvaluator } from "../../../evaluator/evaluator.js";
import { RunDirectory } from "../../../runs/directory/run-directory.js";
import { silentIo } from "../../../simulator/scenes/scene-files.fixture.js";
import type { NoScene, SceneFile } from "./scene-glb.js";

/** An episode of a run on disk. */
export interface Recorded {
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly line: EpisodeLine;
}

/** A folder that is removed after the tests of the file. */
export function lastingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-geometry-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function benchmarkFile(name: string): string {
  return fileURLToPath(new URL(`../../../../configs/benchmarks/${name}.yaml`, import.meta.url));
}

/** Runs the first episode of a task of a shipped benchmark. */
export async function record(
  outDir: string,
  name: string,
  task: string,
  options: EvaluatorOptions & { readonly set?: readonly string[] },
): Promise<Recorded> {
  const { set = [], ...rest } = options;
  const loaded = loadConfig(benchmarkFile(name), { set });
  return recordWith(loaded, { outDir, limit: 1, filter: `task=${task}`, ...rest });
}

export async function recordWith(
  config: ConstructorParameters<typeof UnifiedRobotEvaluator>[0],
  options: EvaluatorOptions,
): Promise<Recorded> {
  const { run_dir } = await new UnifiedRobotEvaluator(config, options).run();
  const run = await RunDirectory.open(run_dir ?? "");
  for await (const line of run.episodes()) return { run, info: await run.info(), line };
  throw new Error("the run has no episode");
}

export function fileIn(made: SceneFile | NoScene): SceneFile {
  if ("note" in made) throw new Error(made.note);
  return made;
}

export function readGlb(bytes: Uint8Array): Promise<Document> {
  return silentIo().readBinary(bytes);
}

export function trianglesIn(document: Document): number {
  const nodes = document.getRoot().listNodes();
  const primitives = nodes.flatMap((node) => node.getMesh()?.listPrimitives() ?? []);
  return primitives.reduce((sum, one) => sum + (one.getIndices()?.getCount() ?? 0) / 3, 0);
}

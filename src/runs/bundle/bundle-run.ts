import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ConfigError, DataError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import type { Registries } from "../../registry/registries.js";
import { cannotWrite } from "../files.js";
import { JudgedTask } from "../judged-task.js";
import { recordedBenchmark } from "../recorded-config.js";
import { RunDirectory } from "../run-directory.js";
import { FILES } from "../run-files.js";
import { loadRunPlugins } from "../run-plugins.js";
import { type Entry, writeArchive } from "./archive.js";
import {
  type BundleFile,
  type BundleManifest,
  type BundleScene,
  MANIFEST,
  PARTS,
  SIGNATURE,
} from "./manifest.js";
import { filesOfScene, type SceneFile } from "./scene-files.js";
import { signManifest } from "./signature.js";

export interface BundleOptions {
  readonly path: string;
  /** The file to be made. */
  readonly out: string;
  readonly registries: Registries;
  /** False where the scenes' licence does not let them be passed on: then only their hashes are in it. */
  readonly scenes: boolean;
  readonly videos: boolean;
  /** File of a private key to sign with. */
  readonly key?: string | undefined;
}

/** Puts a run and all that is needed to check it elsewhere into one file. */
export async function bundleRun(options: BundleOptions): Promise<BundleManifest> {
  const run = await RunDirectory.open(options.path);
  const info = await run.info();
  checkBundled(run, info, options.out);
  const own = await runFiles(run, options.videos);
  const { scenes, files } = await sceneFiles(run, info, options);
  const entries: (Entry & { readonly from: string })[] = [];
  const listed: BundleFile[] = [];
  for (const { from, to } of [...own, ...files]) {
    const { size } = await stat(from);
    listed.push({ path: to, bytes: size, sha256: await hashOf(from) });
    entries.push({ path: to, from, size });
  }
  const manifest: BundleManifest = {
    format: "robot-eval-bundle/1",
    run_id: info.run_id,
    benchmark: { name: info.benchmark.name, sha256: info.benchmark.sha256 },
    agent: info.agent,
    versions: { ...info.versions },
    data: { ...info.data },
    scenes,
    files: listed,
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
  const signature = options.key === undefined ? [] : [await signed(bytes, options.key)];
  await writeWhole(options.out, [{ path: MANIFEST, bytes }, ...signature, ...entries]);
  return manifest;
}

function checkBundled(run: RunDirectory, info: RunInfo, out: string): void {
  if (info.kind !== "run" || info.status === "running") {
    const what =
      info.kind === "run"
        ? "it is not finished"
        : `it was made by ${info.kind}, and nothing ran in it`;
    throw new ConfigError("not_bundled", `this run cannot be checked elsewhere: ${what}`, {
      where: run.path,
      hint:
        info.kind === "run" ? `robot-eval resume ${run.path}` : "bundle the run that was scored",
    });
  }
  if (existsSync(out)) {
    throw new ConfigError("exists", "there is a file of that name already", {
      where: out,
      hint: "name another with --out, or delete it",
    });
  }
}

async function runFiles(run: RunDirectory, videos: boolean): Promise<SceneFile[]> {
  const { info, benchmark, episodes, summary, setAside, log } = FILES;
  const names: string[] = [info, benchmark, episodes, summary];
  for (const name of [setAside, log]) if (existsSync(join(run.path, name))) names.push(name);
  let count = 0;
  for await (const line of run.episodes()) {
    count++;
    if (line.trajectory !== null) names.push(line.trajectory);
    if (videos && line.video !== undefined) names.push(line.video);
  }
  const saved = await readdir(join(run.path, FILES.trajectories)).catch(() => []);
  if (count > 0 && saved.length === 0) {
    throw new DataError("no_trajectory", "the run has no trajectories to check it by", {
      where: run.path,
      hint: "it was made with `output.save_trajectories: false`",
    });
  }
  return names.map((name) => ({ from: join(run.path, name), to: `${PARTS.run}/${name}` }));
}

async function sceneFiles(run: RunDirectory, info: RunInfo, options: BundleOptions) {
  const loaded = recordedBenchmark(run, info);
  await loadRunPlugins(loaded, options.registries);
  const tasks = new Map(
    loaded.config.tasks.map((section) => [
      section.name,
      new JudgedTask(loaded, section, options.registries),
    ]),
  );
  const scenes = new Map<string, BundleScene>();
  const files = new Map<string, SceneFile>();
  for await (const { task, scene_id } of run.episodes()) {
    const name = JSON.stringify([task, scene_id]);
    const judged = tasks.get(task);
    if (scenes.has(name) || !judged) continue;
    const found = await filesOfScene(judged, scene_id);
    const left = !options.scenes && found.files.length > 0;
    const note = left ? "left out on request" : found.note;
    const kept = left ? [] : found.files;
    for (const file of kept) files.set(file.to, file);
    const paths = kept.map(({ to }) => to);
    scenes.set(name, { task, scene_id, files: paths, ...(note === undefined ? {} : { note }) });
  }
  return { scenes: [...scenes.values()], files: [...files.values()] };
}

async function signed(manifest: Uint8Array, key: string): Promise<Entry> {
  const signature = await signManifest(manifest, key);
  const bytes = new TextEncoder().encode(`${JSON.stringify(signature, null, 2)}\n`);
  return { path: SIGNATURE, bytes };
}

async function writeWhole(out: string, entries: readonly Entry[]): Promise<void> {
  const temporary = `${out}.${randomUUID()}.tmp`;
  try {
    await writeArchive(temporary, entries);
    await rename(temporary, out);
  } catch (error) {
    await rm(temporary, { force: true });
    throw cannotWrite(out, error);
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

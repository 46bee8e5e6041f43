import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkOutput } from "../../config/output-path.js";
import { ConfigError, DataError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { replaceFile } from "../../dataset/write-file.js";
import type { Registries } from "../../registry/registries.js";
import { cannotWrite } from "../directory/files.js";
import { geometryFiles } from "../directory/geometry.js";
import { checkPlain } from "../directory/plain-files.js";
import { RunDirectory } from "../directory/run-directory.js";
import { FILES } from "../directory/run-files.js";
import { noTrajectory } from "../directory/trajectory.js";
import { stopIfAborted } from "../score/score-options.js";
import { bundleScenes, type SceneOptions } from "./bundle-scenes.js";
import { fileHashes } from "./file-hash.js";
import {
  type BundleFile,
  type BundleManifest,
  claimsOf,
  MANIFEST,
  PARTS,
  SIGNATURE,
} from "./manifest.js";
import type { PlacedFile } from "./scene-layout.js";
import { readPrivateKey, signManifest } from "./signature.js";
import { type Entry, writeArchive } from "./write-archive.js";

export interface BundleOptions extends Pick<SceneOptions, "permissions"> {
  readonly path: string;
  /** The file to create. */
  readonly out: string;
  readonly registries: Registries;
  /** False to include only hashes of the scene files, for scenes whose licence forbids redistribution. */
  readonly scenes: boolean;
  readonly videos: boolean;
  /** Path of the private key to sign with. */
  readonly key?: string | undefined;
  /** When aborted, no file is left. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Packs a run and everything needed to verify it elsewhere into one file.
 *
 * @example
 * const registries = createRegistries();
 * const content = { scenes: true, videos: false };
 * await bundleRun({ path: "runs/20260101T120000Z-vln", out: "vln.bundle.tgz", registries, ...content });
 */
export async function bundleRun(options: BundleOptions): Promise<BundleManifest> {
  const { out, signal } = options;
  const key = options.key === undefined ? undefined : await readPrivateKey(options.key);
  checkOutput(out, "file");
  checkIsFree(out);
  const run = await RunDirectory.open(options.path);
  const info = await run.info();
  checkBundled(run, info);
  const own = await runFiles(run, options);
  for (const { from } of own) await checkPlain(from, "file");
  const hashOf = fileHashes();
  const { places, scenes, files } = await bundleScenes(run, info, { ...options, hashOf });
  const listed: BundleFile[] = [];
  const entries: Entry[] = [];
  for (const { from, to: path } of [...own, ...files]) {
    stopIfAborted(signal);
    const { bytes, sha256 } = await hashOf(from);
    listed.push({ path, bytes, sha256 });
    entries.push({ path, from, size: bytes, sha256 });
  }
  const manifest: BundleManifest = {
    format: "robot-eval-bundle/1",
    ...claimsOf(info),
    places,
    scenes,
    files: listed,
  };
  await writeWhole(out, [...head(manifest, key), ...entries], signal);
  return manifest;
}

function checkIsFree(out: string): void {
  if (!existsSync(out)) return;
  throw new ConfigError("exists", "the output file already exists", {
    where: out,
    hint: "choose another path with --out, or delete the file",
  });
}

function checkBundled(run: RunDirectory, info: RunInfo): void {
  if (info.kind === "run" && info.status !== "running") return;
  const [what, hint] =
    info.kind === "run"
      ? ["it is not finished", `robot-eval resume ${run.path}`]
      : [`it was made by ${info.kind}, which runs no episodes`, "bundle the original run"];
  throw new ConfigError("not_bundled", `this run cannot be bundled: ${what}`, {
    where: run.path,
    hint,
  });
}

async function runFiles(
  run: RunDirectory,
  { videos, scenes }: BundleOptions,
): Promise<PlacedFile[]> {
  const { info, benchmark, episodes, summary, setAside, eventLog } = FILES;
  const names: string[] = [info, benchmark, episodes, summary];
  for (const name of [setAside, eventLog]) if (existsSync(join(run.path, name))) names.push(name);
  const geometry = new Set<string>();
  let judged = 0;
  for await (const line of run.episodes()) {
    if (videos && line.video !== undefined) names.push(line.video);
    if (line.outcome === "invalid") continue;
    judged++;
    if (line.trajectory === null) throw noTrajectory(run, line);
    names.push(line.trajectory);
    // Recorded geometry counts as scene data, so --no-scenes excludes it too.
    if (scenes) for (const name of await geometryFiles(run.path, line)) geometry.add(name);
  }
  if (judged === 0) {
    throw new DataError("nothing_to_check", "the run has no valid episode", {
      where: run.path,
      hint: "all episodes are invalid; retry them with `robot-eval resume --retry-invalid`",
    });
  }
  return [...names, ...geometry].map((name) => ({
    from: join(run.path, name),
    to: `${PARTS.run}/${name}`,
  }));
}

function head(manifest: BundleManifest, key: KeyObject | undefined): Entry[] {
  const document = (value: unknown) =>
    new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  const bytes = document(manifest);
  if (!key) return [{ path: MANIFEST, bytes }];
  return [
    { path: MANIFEST, bytes },
    { path: SIGNATURE, bytes: document(signManifest(bytes, key)) },
  ];
}

async function writeWhole(
  out: string,
  entries: readonly Entry[],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await replaceFile(out, async (temporary) => {
      await writeArchive(temporary, entries, signal);
      checkIsFree(out);
    });
  } catch (error) {
    stopIfAborted(signal);
    throw cannotWrite(out, error);
  }
}

import type { KeyObject } from "node:crypto";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ConfigError, DataError, RobotEvalError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import type { Registries } from "../../registry/registries.js";
import { cannotWrite } from "../files.js";
import { geometryFiles } from "../geometry.js";
import { lineName } from "../line-name.js";
import { RunDirectory } from "../run-directory.js";
import { FILES } from "../run-files.js";
import { stopIfAborted } from "../score-options.js";
import { bundleScenes } from "./bundle-scenes.js";
import { claimsOf } from "./claims.js";
import { fileHashes } from "./file-hash.js";
import { type BundleFile, type BundleManifest, MANIFEST, PARTS, SIGNATURE } from "./manifest.js";
import type { PlacedFile } from "./scene-layout.js";
import { readPrivateKey, signManifest } from "./signature.js";
import { type Entry, writeArchive } from "./write-archive.js";

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
  /** When aborted, nothing is left behind. */
  readonly signal?: AbortSignal | undefined;
}

/** Puts a run and all that is needed to check it elsewhere into one file. */
export async function bundleRun(options: BundleOptions): Promise<BundleManifest> {
  const { out, signal } = options;
  const key = options.key === undefined ? undefined : await readPrivateKey(options.key);
  checkIsFree(out);
  const run = await RunDirectory.open(options.path);
  const info = await run.info();
  checkBundled(run, info);
  const own = await runFiles(run, options);
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
  throw new ConfigError("exists", "there is a file of that name already", {
    where: out,
    hint: "name another with --out, or delete it",
  });
}

function checkBundled(run: RunDirectory, info: RunInfo): void {
  if (info.kind === "run" && info.status !== "running") return;
  const [what, hint] =
    info.kind === "run"
      ? ["it is not finished", `robot-eval resume ${run.path}`]
      : [`it was made by ${info.kind}, and nothing ran in it`, "bundle the run that was scored"];
  throw new ConfigError("not_bundled", `this run cannot be checked elsewhere: ${what}`, {
    where: run.path,
    hint,
  });
}

async function runFiles(
  run: RunDirectory,
  { videos, scenes }: BundleOptions,
): Promise<PlacedFile[]> {
  const { info, benchmark, episodes, summary, setAside, log } = FILES;
  const names: string[] = [info, benchmark, episodes, summary];
  for (const name of [setAside, log]) if (existsSync(join(run.path, name))) names.push(name);
  const geometry = new Set<string>();
  let judged = 0;
  for await (const line of run.episodes()) {
    if (videos && line.video !== undefined) names.push(inFolder(run, line.video, FILES.videos));
    if (line.outcome === "invalid") continue;
    judged++;
    if (line.trajectory === null) throw noTrajectory(run, lineName(line.episode_key, line.repeat));
    names.push(inFolder(run, line.trajectory, FILES.trajectories));
    // Whose meshes they are, nobody asked: they are scenes as others are.
    if (scenes) for (const name of await geometryFiles(run.path, line)) geometry.add(name);
  }
  if (judged === 0) {
    throw new DataError("nothing_to_check", "the run has no episode that was judged", {
      where: run.path,
      hint: "invalid episodes have no numbers; `robot-eval resume --retry-invalid` tries them again",
    });
  }
  return [...names, ...geometry].map((name) => ({
    from: join(run.path, name),
    to: `${PARTS.run}/${name}`,
  }));
}

/** What a line names stands in the run's own folder; a record of somebody else's may say anything. */
function inFolder(run: RunDirectory, name: string, folder: string): string {
  if (name === `${folder}/${basename(name)}`) return name;
  throw new DataError("bad_name", `${name} is not in the run's folder ${folder}`, {
    where: run.file("episodes"),
  });
}

function noTrajectory(run: RunDirectory, name: string): DataError {
  return new DataError("no_trajectory", `there is no record of ${name} to check it by`, {
    where: run.path,
    hint: "run it with `output.save_trajectories: true`",
  });
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
  const temporary = `${out}.${randomUUID()}.tmp`;
  try {
    await writeArchive(temporary, entries, signal);
    checkIsFree(out);
    await rename(temporary, out);
  } catch (error) {
    await rm(temporary, { force: true });
    stopIfAborted(signal);
    throw error instanceof RobotEvalError ? error : cannotWrite(out, error);
  }
}

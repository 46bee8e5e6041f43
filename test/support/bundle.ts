import { createHash } from "node:crypto";
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, gunzipSync, gzipSync } from "node:zlib";
import { extract, pack } from "tar-stream";
import type { EpisodeLine } from "../../src/core/interfaces/result.js";
import { createRegistries } from "../../src/registry/registries.js";
import { type BundleOptions, bundleRun } from "../../src/runs/bundle/bundle-run.js";
import type { BundleManifest } from "../../src/runs/bundle/manifest.js";
import { temporaryFolder } from "./cli.js";

type Header = Parameters<ReturnType<typeof pack>["entry"]>[0];

/** An archive entry that tests can modify. */
export interface Part {
  name: string;
  bytes: Buffer;
  readonly header?: Partial<Header>;
}

/** Bundles a run into a new folder. */
export async function bundled(
  path: string,
  options: Partial<BundleOptions> = {},
): Promise<{ readonly file: string; readonly manifest: BundleManifest }> {
  const file = join(temporaryFolder(), "result.bundle.tgz");
  const manifest = await bundleRun({
    ...{ path, out: file, registries: createRegistries(), scenes: true, videos: false },
    ...options,
  });
  return { file, manifest };
}

export async function partsOf(file: string): Promise<Part[]> {
  const parts: Part[] = [];
  const reader = extract();
  const source = pipeline(createReadStream(file), createGunzip(), reader);
  for await (const entry of reader) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    parts.push({ name: entry.header.name, bytes: Buffer.concat(chunks) });
  }
  await source;
  return parts;
}

export async function tarOf(parts: readonly Part[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, bytes, header } of parts) archive.entry({ name, ...header }, bytes);
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Changes the content of a bundle without updating its manifest. */
export async function tampered(file: string, change: (parts: Part[]) => void): Promise<string> {
  const parts = await partsOf(file);
  change(parts);
  const out = join(temporaryFolder(), "tampered.bundle.tgz");
  writeFileSync(out, gzipSync(await tarOf(parts)));
  return out;
}

/** Changes the content of an unsigned bundle and updates its manifest to match. */
export function forged(
  file: string,
  change: (parts: Part[], manifest: BundleManifest) => void,
): Promise<string> {
  return tampered(file, (parts) => {
    const head = partNamed(parts, "manifest.json");
    const files = parts.splice(1);
    const manifest = JSON.parse(head.bytes.toString()) as BundleManifest;
    change(files, manifest);
    manifest.files = files.map(({ name, bytes }) => ({
      path: name,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    }));
    head.bytes = Buffer.from(JSON.stringify(manifest));
    parts.push(...files);
  });
}

export function partNamed(parts: readonly Part[], name: string): Part {
  const part = parts.find((one) => one.name === name);
  if (!part) throw new Error(`there is no ${name}`);
  return part;
}

/** Changes a JSON document. */
export function edit<T>(part: Part, change: (document: T) => object): void {
  part.bytes = Buffer.from(JSON.stringify(change(JSON.parse(part.bytes.toString()) as T)));
}

/** Changes the lines of episodes.jsonl. */
export function editLines(
  parts: readonly Part[],
  change: (lines: EpisodeLine[]) => readonly object[],
): void {
  const part = partNamed(parts, "run/episodes.jsonl");
  const lines = part.bytes.toString().trimEnd().split("\n");
  const changed = change(lines.map((line) => JSON.parse(line) as EpisodeLine));
  part.bytes = Buffer.from(changed.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** Changes a trajectory, given as one line of text per step. */
export function editSteps(part: Part, change: (lines: string[]) => void): void {
  const lines = gunzipSync(part.bytes).toString().trimEnd().split("\n");
  change(lines);
  part.bytes = gzipSync(`${lines.join("\n")}\n`);
}

export function firstTrajectory(parts: readonly Part[]): Part {
  const part = parts.find(({ name }) => name.startsWith("run/trajectories/"));
  if (!part) throw new Error("there is no trajectory");
  return part;
}

/** A copy with one byte changed. */
export function withByte(file: string, at: number): string {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 0x40;
  const out = join(temporaryFolder(), "flipped.bundle.tgz");
  writeFileSync(out, bytes);
  return out;
}

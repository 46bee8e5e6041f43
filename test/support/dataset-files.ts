import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll } from "vitest";
import type { BaseEpisode } from "../../src/core/episode/base.js";
import type { DatasetFormat, DatasetSource } from "../../src/dataset/format.js";

/** Writes files for one test file into a folder that is deleted after the tests. */
export class TemporaryFiles {
  readonly #root = mkdtempSync(join(tmpdir(), "robot-eval-test-"));
  /** Changed by `fresh`. */
  folder = this.#root;

  constructor() {
    afterAll(() => rmSync(this.#root, { recursive: true }));
  }

  /** Switches to a new empty folder and returns its path. */
  fresh(): string {
    this.folder = mkdtempSync(join(this.#root, "case-"));
    return this.folder;
  }

  /** Writes text and bytes unchanged and anything else as JSON; compresses if the name ends in `.gz`. */
  write(name: string, content: unknown): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    const bytes = isRaw ? content : JSON.stringify(content);
    const pack = name.endsWith(".gz") && !(content instanceof Uint8Array);
    writeFileSync(path, pack ? gzipSync(bytes) : bytes);
    return path;
  }
}

/** All episodes of a dataset. */
export async function episodesOf(
  format: DatasetFormat,
  source: DatasetSource,
): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const episode of format.episodes(source)) episodes.push(episode);
  return episodes;
}

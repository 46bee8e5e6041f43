import { existsSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { createSynced, replaceFile } from "../../dataset/write-file.js";
import { readEpisodeLog } from "./episode-log.js";
import { cannotWrite, syncFolder } from "./files.js";
import { dropUnfinishedLine } from "./json-lines.js";
import { FILES } from "./run-files.js";

/** Why a line is not part of the result. */
type Reason = "tried_again" | "after_early_stop";

type SetAsideLine = EpisodeLine & { readonly why: Reason };

/**
 * set_aside.jsonl: lines that do not count, such as superseded attempts. Nothing that ran is hidden, and every line
 * of episodes.jsonl counts.
 */
export class SetAside {
  readonly #path: string;
  readonly #episodes: string;
  /** Serialises writes, so that no call removes another one's unfinished line. */
  #queue: Promise<void> = Promise.resolve();

  /** @param run the run directory */
  constructor(private readonly run: string) {
    this.#path = join(run, FILES.setAside);
    this.#episodes = join(run, FILES.episodes);
  }

  async add(line: EpisodeLine, why: Reason): Promise<void> {
    await this.#append([{ ...line, why }]);
  }

  async *read(): AsyncGenerator<EpisodeLine> {
    if (existsSync(this.#path)) yield* readEpisodeLog(this.#path);
  }

  /**
   * Moves lines out of episodes.jsonl, which must not be open for appending. They are synced here before they are
   * removed there: after a crash in between they are in both files, and the next call finds them here.
   */
  async take(isOut: (line: EpisodeLine) => boolean, why: Reason): Promise<number> {
    const known = new Set<string>();
    for await (const line of this.read()) known.add(name(line));
    const out: EpisodeLine[] = [];
    for await (const line of readEpisodeLog(this.#episodes)) if (isOut(line)) out.push(line);
    if (out.length === 0) return 0;
    const unknown = out.filter((line) => !known.has(name(line)));
    // The next attempt uses the same file names.
    const forget = why === "tried_again";
    await this.#append(unknown.map((line) => ({ ...(forget ? withoutFiles(line) : line), why })));
    await this.#rewrite((line) => !isOut(line));
    if (forget) for (const line of out) await this.#removeFiles(line);
    return out.length;
  }

  async #removeFiles({ trajectory, video }: EpisodeLine): Promise<void> {
    const folders = [
      [FILES.trajectories, trajectory],
      [FILES.videos, video],
    ] as const;
    for (const [folder, file] of folders) {
      if (file) await rm(join(this.run, folder, basename(file)), { force: true });
    }
  }

  #append(lines: readonly SetAsideLine[]): Promise<void> {
    this.#queue = this.#queue.then(() => this.#write(lines));
    return this.#queue;
  }

  async #write(lines: readonly SetAsideLine[]): Promise<void> {
    if (lines.length === 0) return;
    try {
      const file = await open(this.#path, "a+");
      try {
        await dropUnfinishedLine(file);
        await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw cannotWrite(this.#path, error);
    }
  }

  async #rewrite(keeps: (line: EpisodeLine) => boolean): Promise<void> {
    const copyKept = async (file: FileHandle) => {
      for await (const line of readEpisodeLog(this.#episodes)) {
        if (keeps(line)) await file.appendFile(`${JSON.stringify(line)}\n`);
      }
    };
    try {
      await replaceFile(this.#episodes, (temporary) => createSynced(temporary, copyKept));
    } catch (error) {
      throw cannotWrite(this.#episodes, error);
    }
    await syncFolder(dirname(this.#episodes));
  }
}

function withoutFiles({ video, geometry, ...line }: EpisodeLine): EpisodeLine {
  return { ...line, trajectory: null };
}

function name({ episode_key, repeat, attempt }: EpisodeLine): string {
  return JSON.stringify([episode_key, repeat, attempt]);
}

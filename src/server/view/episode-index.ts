import { type FileHandle, stat } from "node:fs/promises";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { checkLine } from "../../runs/directory/document-checks.js";
import { asDataError, parseDocument } from "../../runs/directory/json-lines.js";
import { openPlain } from "../../runs/directory/plain-files.js";
import { SceneRates } from "../../runs/summary/scene-rates.js";
import { episodeIdOf } from "./episode-id.js";

/** Byte range of a line in the file, including its newline. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

const NEWLINE = 0x0a;

/**
 * Index of the byte ranges of all episodes in episodes.jsonl, so that any page can be read directly. It takes a few
 * dozen bytes of memory per episode. A file that grows is read from the end of the last reading.
 */
export class EpisodeIndex {
  #ranges: LineRange[] = [];
  #byId = new Map<string, number>();
  #scenes = new SceneRates();
  #end = 0;
  #identity = "";
  #lines = 0;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  get count(): number {
    return this.#ranges.length;
  }

  get scenes(): SceneRates {
    return this.#scenes;
  }

  /** Indexes new lines. Readings run one after the other, because two at a time would add the same lines. */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => {}).then(() => this.#refresh());
    return this.#refreshing;
  }

  /** Undefined if the run has no such episode. */
  async line(id: string): Promise<EpisodeLine | undefined> {
    const i = this.#byId.get(id);
    if (i === undefined) return undefined;
    const [line] = await this.lines(i, i + 1);
    return line;
  }

  /** Episodes `from` to `to` (not included), in the order of the file. */
  async lines(from: number, to: number): Promise<EpisodeLine[]> {
    const stretches = joined(this.#ranges.slice(from, to));
    if (stretches.length === 0) return [];
    const file = await this.#open();
    try {
      const lines: EpisodeLine[] = [];
      for (const { start, end } of stretches) {
        const bytes = Buffer.alloc(end - start);
        await file.read(bytes, 0, bytes.length, start);
        for (const text of bytes.toString("utf8").split("\n")) {
          if (text !== "")
            lines.push(checkLine(parseDocument(text, "damaged_line", this.path), this.path));
        }
      }
      return lines;
    } finally {
      await file.close();
    }
  }

  async #refresh(): Promise<void> {
    const found = await stat(this.path).catch(() => undefined);
    if (!found) return this.#reset("");
    const identity = `${found.dev}.${found.ino}`;
    // The file was replaced or lost lines, because an episode was retried or set aside.
    if (identity !== this.#identity || found.size < this.#end) this.#reset(identity);
    if (found.size > this.#end) await this.#read(found.size);
  }

  #reset(identity: string): void {
    this.#ranges = [];
    this.#byId = new Map();
    this.#scenes = new SceneRates();
    this.#end = 0;
    this.#lines = 0;
    this.#identity = identity;
  }

  async #open(): Promise<FileHandle> {
    try {
      return await openPlain(this.path);
    } catch (error) {
      throw asDataError(error, this.path);
    }
  }

  async #read(size: number): Promise<void> {
    let rest = Buffer.alloc(0);
    const file = await this.#open();
    for await (const chunk of file.createReadStream({ start: this.#end, end: size - 1 })) {
      const bytes = Buffer.concat([rest, chunk]);
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
        this.#add(bytes.toString("utf8", from, to), to + 1 - from);
        from = to + 1;
      }
      rest = bytes.subarray(from);
    }
  }

  #add(text: string, bytes: number): void {
    const range = { start: this.#end, end: this.#end + bytes };
    const value =
      text === ""
        ? undefined
        : parseDocument(text, "damaged_line", `${this.path}:${this.#lines + 1}`);
    // The full check happens on reading: here it would double the time.
    const line = isLine(value) ? value : undefined;
    if (value !== undefined && !line) checkLine(value, `${this.path}:${this.#lines + 1}`);
    this.#end += bytes;
    this.#lines++;
    if (!line) return;
    this.#scenes.add(line);
    const id = episodeIdOf(line.episode_key, line.repeat);
    const before = this.#byId.get(id);
    // Older runs kept the lines of retried attempts; the later line is the result.
    if (before !== undefined) this.#ranges[before] = range;
    else this.#byId.set(id, this.#ranges.push(range) - 1);
  }
}

type Indexed = Pick<EpisodeLine, "episode_key" | "repeat" | "task" | "scene_id" | "outcome">;

/** Checks only the fields that the index needs. */
function isLine(value: unknown): value is Indexed {
  if (!isRecord(value)) return false;
  const { episode_key, repeat, task, scene_id, outcome } = value;
  return (
    [episode_key, task, scene_id, outcome].every((word) => typeof word === "string") &&
    typeof repeat === "number"
  );
}

/** Merges adjacent ranges, so that they are read at once. */
function joined(ranges: readonly LineRange[]): LineRange[] {
  const stretches: LineRange[] = [];
  for (const range of ranges) {
    const last = stretches.at(-1);
    if (last?.end === range.start) stretches[stretches.length - 1] = { ...last, end: range.end };
    else stretches.push(range);
  }
  return stretches;
}

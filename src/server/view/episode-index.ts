import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { DataError, errorMessage } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { checkLine } from "../../runs/document-checks.js";
import { SceneRates } from "../../runs/scene-rates.js";
import { episodeIdOf } from "./episode-id.js";

/** Where a line stands in the file, in bytes; the newline is before `end`. */
interface Place {
  readonly start: number;
  readonly end: number;
}

const NEWLINE = 0x0a;

/**
 * Where each episode stands in episodes.jsonl: any page of any run is read at once, and memory holds a few
 * dozen bytes an episode. A file that grows is read from where the last reading ended.
 */
export class EpisodeIndex {
  readonly #path: string;
  #places: Place[] = [];
  #byId = new Map<string, number>();
  #scenes = new SceneRates();
  #end = 0;
  #identity = "";
  #lines = 0;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  get count(): number {
    return this.#places.length;
  }

  get scenes(): SceneRates {
    return this.#scenes;
  }

  /** Takes in what has been written since. One at a time: two would add the same lines. */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => {}).then(() => this.#refresh());
    return this.#refreshing;
  }

  /** Undefined where the run has no such episode. */
  async line(id: string): Promise<EpisodeLine | undefined> {
    const i = this.#byId.get(id);
    if (i === undefined) return undefined;
    const [line] = await this.lines(i, i + 1);
    return line;
  }

  /** Episodes `from` to `to` (not included), in the order of the file. */
  async lines(from: number, to: number): Promise<EpisodeLine[]> {
    const stretches = joined(this.#places.slice(from, to));
    if (stretches.length === 0) return [];
    const file = await open(this.#path, "r");
    try {
      const lines: EpisodeLine[] = [];
      for (const { start, end } of stretches) {
        const bytes = Buffer.alloc(end - start);
        await file.read(bytes, 0, bytes.length, start);
        for (const text of bytes.toString("utf8").split("\n")) {
          if (text !== "") lines.push(checkLine(parsed(text, this.#path), this.#path));
        }
      }
      return lines;
    } finally {
      await file.close();
    }
  }

  async #refresh(): Promise<void> {
    const found = await stat(this.#path).catch(() => undefined);
    if (!found) return this.#reset("");
    const identity = `${found.dev}.${found.ino}`;
    // Another file, or one that lost lines: an episode was tried again, or set aside.
    if (identity !== this.#identity || found.size < this.#end) this.#reset(identity);
    if (found.size > this.#end) await this.#read(found.size);
  }

  #reset(identity: string): void {
    this.#places = [];
    this.#byId = new Map();
    this.#scenes = new SceneRates();
    this.#end = 0;
    this.#lines = 0;
    this.#identity = identity;
  }

  async #read(size: number): Promise<void> {
    let rest = Buffer.alloc(0);
    const chunks = createReadStream(this.#path, { start: this.#end, end: size - 1 });
    for await (const chunk of chunks) {
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
    const place = { start: this.#end, end: this.#end + bytes };
    const value = text === "" ? undefined : parsed(text, `${this.#path}:${this.#lines + 1}`);
    // Whole lines are checked when they are read: a check of each takes as long as all the rest.
    const line = isLine(value) ? value : undefined;
    if (value !== undefined && !line) checkLine(value, `${this.#path}:${this.#lines + 1}`);
    this.#end += bytes;
    this.#lines++;
    if (!line) return;
    this.#scenes.add(line);
    const id = episodeIdOf(line.episode_key, line.repeat);
    const before = this.#byId.get(id);
    // Older runs kept the line of an attempt that was made again; the later line is the result.
    if (before !== undefined) this.#places[before] = place;
    else this.#byId.set(id, this.#places.push(place) - 1);
  }
}

type Indexed = Pick<EpisodeLine, "episode_key" | "repeat" | "task" | "scene_id" | "outcome">;

/** Of a line, what an index needs. */
function isLine(value: unknown): value is Indexed {
  if (!isRecord(value)) return false;
  const { episode_key, repeat, task, scene_id, outcome } = value;
  return (
    [episode_key, task, scene_id, outcome].every((word) => typeof word === "string") &&
    typeof repeat === "number"
  );
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DataError("damaged_line", `not valid JSON: ${errorMessage(cause)}`, { where, cause });
  }
}

/** Places that follow upon each other are read in one go. */
function joined(places: readonly Place[]): Place[] {
  const stretches: Place[] = [];
  for (const place of places) {
    const last = stretches.at(-1);
    if (last?.end === place.start) stretches[stretches.length - 1] = { ...last, end: place.end };
    else stretches.push(place);
  }
  return stretches;
}

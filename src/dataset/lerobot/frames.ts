import { DataError, show } from "../../core/errors.js";
import { whereOf } from "../check.js";
import { type ParquetCell, ParquetFile } from "../readers/parquet.js";
import type { LerobotEntry } from "./entries.js";
import { type LerobotInfo, widthOf } from "./info.js";

/** One list per frame, with as many numbers as the feature has. */
export type Frames = readonly (readonly number[])[];

/**
 * Reads episodes' frames feature by feature; never reads images or videos. In version 3 many episodes share
 * a file, so the latest file stays open.
 */
export class FrameReader {
  #open: ParquetFile | undefined;

  constructor(private readonly info: LerobotInfo) {}

  /** Reads the frames of one episode, and checks that they belong to it and are in order and complete. */
  async read(
    entry: LerobotEntry,
    features: readonly string[],
  ): Promise<ReadonlyMap<string, Frames>> {
    const file = await this.#file(entry.file);
    const rows = { from: entry.firstRow, to: entry.firstRow + entry.length };
    // Version 2 has one file per episode, so extra rows are an error too.
    if (this.info.major === 2 && file.rows !== entry.length) {
      throw new DataError(
        "wrong_length",
        `episode ${entry.index} has ${entry.length} frames according to ${entry.at.file}, but its file has ${file.rows}`,
        { where: entry.file, hint: "use data and meta of the same version of the dataset" },
      );
    }
    const read = new Map<string, Frames>();
    for (const name of new Set(["frame_index", "episode_index", ...features])) {
      const cells = await file.column(name, rows);
      const width = widthOf(this.info.features[name] ?? { dtype: "int64", shape: [1] });
      read.set(
        name,
        cells.map((cell, i) => numbersOf(cell, width, { entry, name, frame: i })),
      );
    }
    const frameIndex = read.get("frame_index") ?? [];
    const episodeIndex = read.get("episode_index") ?? [];
    for (let i = 0; i < entry.length; i++) {
      checkIndex(episodeIndex[i]?.[0], entry.index, { entry, name: "episode_index", frame: i });
      checkIndex(frameIndex[i]?.[0], i, { entry, name: "frame_index", frame: i });
    }
    return read;
  }

  async close(): Promise<void> {
    await this.#open?.close();
    this.#open = undefined;
  }

  async #file(path: string): Promise<ParquetFile> {
    if (this.#open?.path === path) return this.#open;
    await this.close();
    this.#open = await ParquetFile.open(path);
    return this.#open;
  }
}

/** The location of a value, for error messages. */
interface ValueLocation {
  readonly entry: LerobotEntry;
  readonly name: string;
  readonly frame: number;
}

function numbersOf(cell: ParquetCell, width: number, location: ValueLocation): readonly number[] {
  const flat = (Array.isArray(cell) ? cell.flat(Number.POSITIVE_INFINITY) : [cell]) as unknown[];
  const numbers: number[] = [];
  for (const value of flat) {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw badFrame(location, `expected finite numbers, got ${show(value)}`);
    }
    numbers.push(value);
  }
  if (numbers.length !== width) {
    throw badFrame(
      location,
      `expected ${width} numbers according to info.json, got ${numbers.length}`,
    );
  }
  return numbers;
}

function checkIndex(found: number | undefined, expected: number, location: ValueLocation): void {
  if (found !== expected) throw badFrame(location, `expected ${expected}, got ${show(found)}`);
}

function badFrame({ entry, name, frame }: ValueLocation, problem: string): DataError {
  return new DataError(
    "bad_episode",
    `episode ${entry.index}, frame ${frame}, ${name}: ${problem}`,
    {
      where: whereOf({ file: entry.file, item: `row ${entry.firstRow + frame}` }),
    },
  );
}

import { DataError } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { asWritten, type DataLocation, errorAt, ROUNDED_ID } from "../check.js";
import type { ContentSample } from "../format.js";

import { Columns, type Field } from "./columns.js";
import {
  type ImportedEpisode,
  type ResultsFormat,
  type ResultsOptions,
  UNKNOWN_SCENE,
} from "./format.js";
import { completed, invalid, type Reported } from "./judge.js";
import { type Row, rowsOf } from "./table-rows.js";
import { durationOf, ownTasks, stepsOf, successName, successOf, wrong } from "./values.js";

/**
 * A table with one row per episode: CSV (RFC 4180), JSON Lines, or a JSON list of objects. Columns have
 * robot-eval's names or are mapped by `--columns`. Without it, every other column of numbers is a metric.
 */
export const table: ResultsFormat = {
  name: "table",
  description: "CSV, JSON lines or a JSON list with one row per episode; see --columns",

  detect: (sample) => {
    const columns = columnsOf(sample);
    return columns.includes("episode_id") && successName(columns) !== undefined;
  },

  async *read(path, options) {
    let reader: RowReader | undefined;
    for await (const row of rowsOf(path)) {
      reader ??= new RowReader([...row.values.keys()], path, options);
      yield reader.read(row);
    }
  },
};

/** The columns of a table, as far as the sample shows them. */
function columnsOf({ head, text, isDirectory }: ContentSample): readonly string[] {
  if (isDirectory) return [];
  const first = Array.isArray(head) ? head[0] : head;
  if (isRecord(first)) return Object.keys(first);
  const [line = ""] = text.replace(/^\uFEFF/, "").split(/\r?\n/, 1);
  return line.split(",").map((cell) => cell.replace(/^"(.*)"$/, "$1"));
}

/** Columns that identify a table without a task as navigation results. */
const NAVIGATION = /^(spl|ndtw|sdtw|distance_to_goal|navigation_error|path_length)$/;

class RowReader {
  readonly #columns: Columns;
  readonly #taskType: string;
  /** Whether each column's first value was a number or something else. */
  readonly #kinds = new Map<string, "number" | "text">();

  constructor(
    names: readonly string[],
    path: string,
    private readonly options: ResultsOptions,
  ) {
    this.#columns = new Columns(names, options.columns, path);
    const metrics = names.map((name) => this.#columns.metricIn(name) ?? "");
    this.#taskType = metrics.some((name) => NAVIGATION.test(name)) ? "vln" : "manipulation";
    if (options.task !== undefined && this.#columns.columnOf("task") !== undefined) {
      throw ownTasks(path);
    }
  }

  read(row: Row): ImportedEpisode {
    const id = this.#text(row, "episode_id");
    if (id === undefined) throw wrong(this.#place(row, "episode_id"), "episode_id", "an id", null);
    const subject = `episode ${id}`;
    const at = (field: Field): DataLocation => this.#place(row, field, subject);
    const task = this.#text(row, "task");
    const reported: Reported = {
      episodeId: id,
      sceneId: this.#text(row, "scene_id") ?? UNKNOWN_SCENE,
      task: task ?? this.options.task ?? this.#taskType,
      taskType: this.#taskType,
      success: successOf(parseLiteral(this.#value(row, "success")), at("success"), "success"),
      metrics: this.#metrics(row, subject),
      steps: stepsOf(asNumber(this.#value(row, "steps")), at("steps"), "steps"),
      wallMs: durationOf(asNumber(this.#value(row, "wall_ms")), at("wall_ms"), "wall_ms"),
      where: row.where,
    };
    const error = this.#text(row, "error");
    if (error === undefined) return completed(reported);
    return invalid(reported, { code: "error", message: error, fault: "platform" });
  }

  #metrics(row: Row, subject: string): Record<string, number | null> {
    const found: [string, number | null][] = [];
    for (const [column, raw] of row.values) {
      const name = this.#columns.metricIn(column);
      if (name === undefined) continue;
      const value = parseLiteral(raw);
      const isNumber = typeof value === "number" || typeof value === "boolean";
      if (value !== null && !this.#kinds.has(column)) {
        this.#kinds.set(column, isNumber || this.#columns.isRequested(column) ? "number" : "text");
      }
      if (this.#kinds.get(column) === "text") continue;
      if (value !== null && !isNumber) {
        const hint = "leave a cell empty if it has no value, or select the columns with --columns";
        throw wrong(placeOf(row, column, subject), column, "a number", raw, hint);
      }
      const number = value === null ? null : Number(value);
      found.push([name, number !== null && Number.isFinite(number) ? number : null]);
    }
    return Object.fromEntries(found);
  }

  /**
   * Returns the raw value of a field. Throws if a JSON row lacks the key, which differs from an empty
   * value.
   */
  #value(row: Row, field: Field): unknown {
    const column = this.#columns.columnOf(field);
    if (column === undefined) return null;
    if (!row.values.has(column) && (field === "episode_id" || field === "success")) {
      throw new DataError("bad_result", `the row has no "${column}"`, {
        where: row.where,
        hint: `it has ${[...row.values.keys()].join(", ")}`,
      });
    }
    return row.values.get(column) ?? null;
  }

  #text(row: Row, field: Field): string | undefined {
    const value = this.#value(row, field);
    if (value === null || value === "") return undefined;
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      const column = this.#columns.columnOf(field) ?? field;
      const problem = `${ROUNDED_ID}, got ${asWritten(value, column, row.text)}`;
      throw errorAt(this.#place(row, field), "bad_result", problem, { field });
    }
    if (typeof value === "string" || typeof value === "number") return String(value);
    throw wrong(this.#place(row, field), field, "a string or a number", value);
  }

  #place(row: Row, field: Field, subject?: string): DataLocation {
    return placeOf(row, this.#columns.columnOf(field) ?? field, subject);
  }
}

/** Computed only for errors, so that valid tables do not pay for it. */
function placeOf(row: Row, column: string, subject?: string): DataLocation {
  return {
    get file() {
      return row.at(column);
    },
    item: `column ${column}`,
    subject,
  };
}

/** Words accepted in place of a number or boolean. */
const LITERALS: ReadonlyMap<string, boolean | number> = new Map<string, boolean | number>([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** Converts text to the boolean or number that it spells. Returns any other value unchanged. */
function parseLiteral(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  if (word === "") return null;
  if (NUMBER.test(word)) return Number(word);
  return LITERALS.get(word) ?? value;
}

/** Like `parseLiteral`, but for counts, which cannot be "yes" or "no". */
function asNumber(value: unknown): unknown {
  const number = parseLiteral(value);
  return typeof number === "boolean" ? value : number;
}

import { ConfigError, DataError } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";
import { successName } from "./values.js";

/** The fields of an episode in a table, apart from metrics. */
const FIELDS = ["episode_id", "success", "scene_id", "task", "steps", "wall_ms", "error"] as const;

export type Field = (typeof FIELDS)[number];

const REQUIRED: readonly Field[] = ["episode_id", "success"];

/** Parses `ours=theirs` pairs from `--columns`. */
export function parseColumns(pairs: readonly string[]): Record<string, string> {
  const columns = new Map<string, string>();
  for (const pair of pairs) {
    const [, ours = "", theirs = ""] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (ours === "" || theirs === "") {
      throw new ConfigError("bad_columns", `"${pair}" is not of the form name=column`, {
        where: "--columns",
        hint: "for example --columns episode_id=id,success=ok,spl=spl",
      });
    }
    if (columns.has(ours)) {
      throw new ConfigError("bad_columns", `"${ours}" is given twice`, { where: "--columns" });
    }
    columns.set(ours, theirs);
  }
  return Object.fromEntries(columns);
}

/** Maps a table's columns to fields and metrics. */
export class Columns {
  readonly #fields = new Map<Field, string>();
  /** Our metric name by column name. */
  readonly #metrics = new Map<string, string>();
  /** True without a map: every column of numbers is then a metric. */
  readonly #open: boolean;

  /**
   * @param found the columns of the table
   * @throws if a column is missing, with the list of existing ones
   */
  constructor(
    found: readonly string[],
    map: Readonly<Record<string, string>> | undefined,
    where: string,
  ) {
    this.#open = map === undefined;
    for (const [ours, theirs] of Object.entries(map ?? {})) {
      if (!found.includes(theirs)) throw missing(theirs, found, where, "column");
      if (isField(ours)) this.#fields.set(ours, theirs);
      else this.#addMetric(theirs, ours);
    }
    for (const field of FIELDS) {
      const theirs = field === "success" ? successName(found) : field;
      if (this.#fields.has(field) || theirs === undefined) continue;
      if (found.includes(theirs)) this.#fields.set(field, theirs);
    }
    for (const field of REQUIRED) {
      if (!this.#fields.has(field)) throw missing(field, found, where, "field");
    }
  }

  #addMetric(theirs: string, ours: string): void {
    const other = this.#metrics.get(theirs);
    if (other !== undefined) {
      throw new ConfigError("bad_columns", `${other} and ${ours} both map to "${theirs}"`, {
        where: "--columns",
      });
    }
    this.#metrics.set(theirs, ours);
  }

  columnOf(field: Field): string | undefined {
    return this.#fields.get(field);
  }

  /** The metric in a column; undefined if it contains none or none that was requested. */
  metricIn(column: string): string | undefined {
    const mapped = this.#metrics.get(column);
    if (mapped !== undefined || !this.#open) return mapped;
    for (const used of this.#fields.values()) if (used === column) return undefined;
    return column;
  }

  /** True if the column was requested, in which case text in it is an error. */
  isRequested(column: string): boolean {
    return this.#metrics.has(column);
  }
}

function isField(name: string): name is Field {
  return FIELDS.some((field) => field === name);
}

function missing(
  name: string,
  found: readonly string[],
  where: string,
  what: "column" | "field",
): DataError {
  const near = suggestion(name, found).replace("valid:", "the columns are");
  const how = what === "field" ? `; select it with --columns ${name}=<column>` : "";
  return new DataError("missing_column", `the table has no column "${name}"`, {
    where,
    hint: `${near}${how}`,
  });
}

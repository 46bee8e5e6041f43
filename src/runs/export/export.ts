import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isBelow } from "../../config/paths.js";
import { ConfigError, DataError, type RobotEvalError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { suggestion } from "../../core/registry.js";
import { staged } from "../../dataset/convert/staging.js";
import { namedTarget } from "../../dataset/convert/target.js";
import type { Registries } from "../../registry/registries.js";
import { findEpisode } from "../directory/find-episode.js";
import { RunDirectory } from "../directory/run-directory.js";
import { stopIfAborted } from "../score/score-options.js";
import { csvFormat } from "./csv.js";
import type { ExportChoices, Exported, ExportFormat, ExportSource } from "./format.js";
import { lerobotFormat } from "./lerobot.js";
import { mcapFormat } from "./mcap.js";
import { parquetFormat } from "./parquet.js";
import { r2rCeFormat } from "./r2r-ce.js";
import { rxrFormat } from "./rxr.js";

export const EXPORT_FORMATS: readonly ExportFormat[] = [
  csvFormat,
  parquetFormat,
  lerobotFormat,
  mcapFormat,
  r2rCeFormat,
  rxrFormat,
];

export interface ExportOptions extends ExportChoices {
  readonly path: string;
  /** One of `EXPORT_FORMATS`. */
  readonly to: string;
  /** The file or folder to create. */
  readonly out: string;
  readonly task?: string | undefined;
  /** Replaces an existing export of the same format at `out`. */
  readonly force?: boolean | undefined;
  readonly registries: Registries;
  /** When aborted, nothing is written. */
  readonly signal?: AbortSignal | undefined;
}

export interface ExportReport extends Exported {
  readonly run_dir: string;
  readonly run_id: string;
  readonly to: string;
  readonly out: string;
  readonly notes: readonly string[];
}

/**
 * Exports the results of a run in a format that other tools read. Writes the result atomically and does not
 * modify the run.
 *
 * @example
 * const registries = createRegistries();
 * await exportRun({ path: "runs/20260101T120000Z-vln", to: "csv", out: "vln.csv", registries });
 */
export async function exportRun(options: ExportOptions): Promise<ExportReport> {
  const { path, out, to, force = false } = options;
  const format = namedTarget(EXPORT_FORMATS, to);
  checkChoices(options, format);
  const run = await RunDirectory.open(path);
  const info = await run.info();
  const notes: string[] = [];
  if (info.partial) {
    const { scored, of } = info.partial;
    notes.push(`the run is partial: ${scored} of ${of} episodes were scored`);
  }
  if (info.status !== "done") {
    notes.push(`the run is ${info.status}, not done: only its episodes so far are exported`);
  }
  const chosen = await LineSelection.of(run, options);
  const source: ExportSource = {
    run,
    info,
    choices: options,
    registries: options.registries,
    lines: () => chosen.lines(),
    note: (text) => notes.push(text),
  };
  const kind = format.kind(options);
  const target = {
    name: format.name,
    kind,
    paths: (place: string) => [place],
    ...(format.owns && kind === "folder" ? { owns: format.owns } : {}),
  };
  await checkOutside(run, out, force);
  let written: Exported | undefined;
  await staged({ target, input: run.path, out, force }, async (folder) => {
    written = await format.write(source, kind === "folder" ? folder : join(folder, basename(out)));
    if (written.episodes === 0) throw chosen.emptyError();
  });
  if (!written) throw new Error("the format returned no result");
  return { run_dir: path, run_id: info.run_id, to, out, ...written, notes };
}

const CHOICES = [
  "only",
  "episode",
  "repeat",
  "fps",
  "lerobotVersion",
  "images",
  "partial",
] as const;

/** Rejects options that the format does not use, instead of ignoring them. */
function checkChoices(options: ExportOptions, format: ExportFormat): void {
  for (const name of CHOICES) {
    if (options[name] === undefined || format.takes.includes(name)) continue;
    const flag = name === "lerobotVersion" ? "--lerobot-version" : `--${name}`;
    throw new ConfigError("unused_flag", `${flag} does not apply to ${format.name}`, {
      where: flag,
      hint: `remove ${flag}`,
    });
  }
  if (options.repeat === undefined || options.episode !== undefined) return;
  throw new ConfigError("unused_flag", "--repeat requires --episode", {
    where: "--repeat",
    hint: "add --episode to select the episode, or remove --repeat to export all repeats",
  });
}

/** Rejects an output path inside the run directory, where --force could replace the run's files. */
async function checkOutside(run: RunDirectory, out: string, force: boolean): Promise<void> {
  if (!force) return;
  const folder = await realpath(dirname(resolve(out))).catch(() => dirname(resolve(out)));
  if (!isBelow(await realpath(run.path), join(folder, basename(out)))) return;
  throw new ConfigError("out_in_run", "--force cannot replace files inside the run directory", {
    where: out,
    hint: "choose an --out outside the run directory, or remove --force",
  });
}

/** The result lines of a run that the options select. */
class LineSelection {
  readonly #tasks = new Set<string>();

  private constructor(
    private readonly run: RunDirectory,
    private readonly options: ExportOptions,
    private readonly key: string | undefined,
  ) {}

  static async of(run: RunDirectory, options: ExportOptions): Promise<LineSelection> {
    const { episode } = options;
    const key = episode === undefined ? undefined : (await findEpisode(run, episode)).episode_key;
    return new LineSelection(run, options, key);
  }

  async *lines(): AsyncGenerator<EpisodeLine> {
    for await (const line of this.run.episodes()) {
      stopIfAborted(this.options.signal);
      this.#tasks.add(line.task);
      if (this.#has(line)) yield line;
    }
  }

  #has(line: EpisodeLine): boolean {
    const { task, only = "all", repeat = 0 } = this.options;
    if (task !== undefined && line.task !== task) return false;
    if (this.key !== undefined && (line.episode_key !== this.key || line.repeat !== repeat)) {
      return false;
    }
    return only === "all" || line.outcome === only;
  }

  /** The error for an empty selection; call it after reading all lines. */
  emptyError(): RobotEvalError {
    const { task, only = "all", episode, repeat = 0 } = this.options;
    const where = this.run.file("episodes");
    if (this.#tasks.size === 0) {
      return new DataError("no_episodes", "the run has no episodes yet", { where });
    }
    if (task !== undefined && !this.#tasks.has(task)) {
      return new ConfigError("unknown_task", `the run has no episodes of task "${task}"`, {
        where: "--task",
        hint: suggestion(task, [...this.#tasks]),
      });
    }
    const wanted = [
      ...(episode === undefined ? [] : [`is ${this.key}, repeat ${repeat}`]),
      ...(task === undefined ? [] : [`is of task ${task}`]),
      ...(only === "all" ? [] : [`is a ${only}`]),
    ];
    const which = wanted.length > 0 ? wanted.join(" and ") : "can be exported";
    return new DataError("no_episodes", `no episode of the run ${which}`, { where });
  }
}

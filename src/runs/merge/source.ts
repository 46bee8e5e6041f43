import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import { ConfigError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { parseShard, type Shard } from "../../dataset/select.js";
import { RunDirectory } from "../directory/run-directory.js";
import { stopsEarly } from "../recorded/recorded-config.js";

export interface Source {
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly shard: Shard | undefined;
  /** Shown in messages. */
  readonly label: string;
}

/** Opens the runs and rejects each that cannot be merged with any other. */
export async function openSources(paths: readonly string[]): Promise<[Source, ...Source[]]> {
  const sources: Source[] = [];
  const places = new Set<string>();
  for (const path of paths) {
    const run = await RunDirectory.open(path);
    const place = await realpath(path);
    if (places.has(place)) {
      throw new ConfigError("named_twice", "this run is given twice", { where: path });
    }
    places.add(place);
    sources.push(await asSource(run));
  }
  const [first, ...others] = sources;
  if (first) return [first, ...others];
  throw new ConfigError("no_run", "no run to merge: give at least one run directory");
}

async function asSource(run: RunDirectory): Promise<Source> {
  const info = await run.info();
  if (info.kind !== "run") {
    throw new ConfigError("not_mergeable", `this run was made by ${info.kind}`, {
      where: run.path,
      hint: "merge the original runs, then score the merged run",
    });
  }
  if (info.merged) {
    throw new ConfigError("not_mergeable", "this run was merged from others", {
      where: run.path,
      hint: `give the original runs instead: ${info.merged.join(", ")}`,
    });
  }
  if (info.duel) {
    throw new ConfigError("not_mergeable", "this run is part of a duel, which decided its end", {
      where: run.path,
    });
  }
  if (stopsEarly(info)) {
    throw new ConfigError(
      "not_mergeable",
      "this run used early stopping: each shard considered only its own episodes, so no interval is valid for the whole",
      {
        where: run.path,
        hint: "run the shards without evaluation.early_stop, or the benchmark in one run",
      },
    );
  }
  const { shard } = info.selection;
  return {
    run,
    info,
    shard: shard === undefined ? undefined : parseShard(shard, run.file("info")),
    label: shard === undefined ? basename(run.path) : `shard ${shard}`,
  };
}

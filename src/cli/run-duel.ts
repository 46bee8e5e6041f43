import { loadConfig } from "../config/load.js";
import { ConfigError } from "../core/errors.js";
import type { DuelResult } from "../evaluator/duel/hold-duel.js";
import { type ResumeDuelOptions, resumeDuel, runDuel } from "../evaluator/duel/run-duel.js";
import { shellWord } from "../runs/report/format.js";
import { benchmarkFile } from "./benchmark-file.js";
import type { DuelFlags } from "./commands/duel.js";
import type { RunFlags } from "./commands/run.js";
import { withInterrupt } from "./interrupt.js";
import { rejectUnused } from "./options.js";
import { printResult, say } from "./output.js";
import { Progress } from "./progress.js";
import { duelText } from "./text/duel-text.js";

type Tools = Pick<ResumeDuelOptions, "signal" | "onEvent">;

export async function duelOnBenchmark(benchmark: string, flags: DuelFlags): Promise<void> {
  const { agent = [], set, json, workers = "auto", queue, priority, ...options } = flags;
  const loaded = loadConfig(benchmarkFile(benchmark), set ? { set } : {});
  if (queue !== undefined) {
    rejectUnused(flags, ["workers", "concurrency"], "with --queue: workers have their own");
    const { duelOnCluster } = await import("../cluster/duel.js");
    const { withCluster } = await import("./queue-option.js");
    return withCluster(queue, (cluster) =>
      withProgress(json, (tools) =>
        duelOnCluster(cluster, loaded, {
          ...{ ...options, agents: agent, priority, onNotice: say, ...tools },
        }),
      ),
    );
  }
  rejectUnused(flags, ["priority"], "without --queue");
  return withProgress(json, (tools) =>
    runDuel(loaded, { ...options, workers, agents: agent, ...tools }),
  );
}

/** `run --against <run> --until-decided`: a duel of one policy with a recorded one. */
export async function duelWithRun(benchmark: string, flags: RunFlags): Promise<void> {
  if (flags.against === undefined || !flags.untilDecided) {
    throw new ConfigError("unused_flag", "--against and --until-decided must be used together", {
      where: flags.against === undefined ? "--until-decided" : "--against",
      hint: "give both; compare two whole runs with robot-eval compare",
    });
  }
  const unused = ["runId", "shard", "threshold", "failOnInvalid", "report"] as const;
  rejectUnused(flags, unused, "with --until-decided");
  rejectUnused(flags, ["detach"], "with --until-decided: the duel waits for the results");
  const loaded = loadConfig(benchmarkFile(benchmark), flags.set ? { set: flags.set } : {});
  const { agent = loaded.config.agent, against, out, workers, concurrency } = flags;
  const { limit, first, filter, seed, set, queue, priority, json } = flags;
  const parent = out ?? loaded.config.output.log_dir;
  return duelOnBenchmark(benchmark, {
    agent: agent === undefined ? [] : [agent],
    ...{
      against,
      parent,
      workers,
      concurrency,
      limit,
      first,
      filter,
      seed,
      set,
      queue,
      priority,
      json,
    },
  });
}

export function continueDuel(
  folder: string,
  { json, ...options }: ResumeDuelOptions & { readonly json?: boolean | undefined },
): Promise<void> {
  return withProgress(json, (tools) => resumeDuel(folder, { ...options, ...tools }));
}

async function withProgress(
  json: boolean | undefined,
  work: (tools: Tools) => Promise<DuelResult>,
): Promise<void> {
  const progress = new Progress();
  let isStarted = false;
  await withInterrupt(
    "stopping after the episodes under way",
    async (signal) => {
      const result = await work({
        signal,
        onEvent: (event) => {
          isStarted = true;
          progress.onEvent(event);
        },
      });
      progress.finish();
      printResult(json, result, duelText);
      const { status, folder } = result;
      if (status !== "done") say(`continue it: robot-eval resume ${shellWord(folder)}`);
      say(`duel: ${folder}   look at its runs: robot-eval view ${shellWord(folder)}`);
      process.exitCode = status === "cancelled" ? 130 : status === "done" ? 0 : 3;
    },
    () => isStarted,
  );
}

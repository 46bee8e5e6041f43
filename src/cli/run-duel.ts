import { loadConfig } from "../config/load.js";
import {
  type DuelResult,
  type ResumeDuelOptions,
  resumeDuel,
  runDuel,
} from "../evaluator/duel/run-duel.js";
import { shellWord } from "../runs/report/format.js";
import { benchmarkFile } from "./benchmark-file.js";
import type { DuelFlags } from "./commands/duel.js";
import { duelText } from "./duel-text.js";
import { withInterrupt } from "./interrupt.js";
import { printResult, say } from "./output.js";
import { Progress } from "./progress.js";

type Tools = Pick<ResumeDuelOptions, "signal" | "onEvent">;

export function duelOnBenchmark(benchmark: string, flags: DuelFlags): Promise<void> {
  const { agent = [], set, json, workers = "auto", ...options } = flags;
  const loaded = loadConfig(benchmarkFile(benchmark), set ? { set } : {});
  return withProgress(json, (tools) =>
    runDuel(loaded, { ...options, workers, agents: agent, ...tools }),
  );
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

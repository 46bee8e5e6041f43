import { loadConfig } from "../config/load.js";
import { ConfigError, show } from "../core/errors.js";
import { resumeStress } from "../evaluator/stress/resume-stress.js";
import { runStress } from "../evaluator/stress/run-stress.js";
import type { StressResult, StressRunOptions } from "../evaluator/stress/stress-parts.js";
import { shellWord } from "../runs/report/format.js";
import { benchmarkFile } from "./benchmark-file.js";
import type { StressFlags } from "./commands/stress.js";
import { withInterrupt } from "./interrupt.js";
import { printResult, say } from "./output.js";
import { Progress } from "./progress.js";
import { stressText } from "./text/stress-text.js";

/** Valid episodes that a level needs before it may stop. */
const MIN_EPISODES = 30;

export async function stressBenchmark(benchmark: string, flags: StressFlags): Promise<void> {
  const { agent, seed, limit, filter, workers = "auto", concurrency, paraphrases } = flags;
  const loaded = loadConfig(benchmarkFile(benchmark), flags.set ? { set: flags.set } : {});
  await showStress(flags, (tools) =>
    runStress(loaded, {
      ...{ agent, seed, limit, filter, workers, concurrency },
      axes: flags.axis,
      levels: flags.levels?.map(levelOf),
      ...(paraphrases === undefined
        ? {}
        : { settings: { instruction_paraphrase: { file: paraphrases } } }),
      earlyStop: earlyStopOf(flags.earlyStop),
      outDir: flags.out,
      stressId: flags.runId,
      ...tools,
    }),
  );
}

/** Continues a stress test. */
export async function continueStress(
  folder: string,
  flags: Pick<StressFlags, "workers" | "concurrency" | "json">,
): Promise<void> {
  const { workers = "auto", concurrency } = flags;
  await showStress(flags, (tools) => resumeStress(folder, { workers, concurrency, ...tools }));
}

function levelOf(text: string): number {
  const level = Number(text);
  if (Number.isInteger(level)) return level;
  throw new ConfigError("bad_level", `there is no level ${show(text)}`, {
    where: "--levels",
    hint: "levels are 1, 2 and 3, with commas between them",
  });
}

function earlyStopOf(half_width: number | undefined) {
  if (half_width === undefined) return null;
  if (half_width < 0.5) return { half_width, min_episodes: MIN_EPISODES };
  throw new ConfigError("bad_early_stop", `the half-width is ${half_width}`, {
    where: "--early-stop",
    hint: "give a number below 0.5, for example 0.1",
  });
}

async function showStress(
  { json }: Pick<StressFlags, "json">,
  work: (tools: Pick<StressRunOptions, "signal" | "onEvent" | "onPart">) => Promise<StressResult>,
): Promise<void> {
  let progress: Progress | undefined;
  let isStarted = false;
  const { report, folder } = await withInterrupt(
    "stopping after the episodes under way",
    (signal) =>
      work({
        signal,
        onPart: ({ run, number, of, folder: into }) => {
          progress?.finish();
          progress = new Progress();
          if (!isStarted) say(`stress test of ${of} runs into ${into}`);
          say(`${number}/${of} ${run}`);
          isStarted = true;
        },
        onEvent: (event) => progress?.onEvent(event),
      }),
    () => isStarted,
  );
  progress?.finish();
  printResult(json, report, stressText);
  const { status } = report;
  process.exitCode = status === "cancelled" ? 130 : status === "failed" ? 3 : 0;
  if (status === "failed") say("the stress test was given up: the agent gave no action");
  if (status !== "done") say(`continue it: robot-eval resume ${shellWord(folder)}`);
  say(`stress folder: ${folder}`);
  say(`look at it: robot-eval view ${shellWord(folder)}`);
}

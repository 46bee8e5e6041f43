import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../../config/load.js";
import { UnifiedRobotEvaluator } from "../../../evaluator/evaluator.js";
import { resumeRun } from "../../../evaluator/resume.js";
import { RunDirectory } from "../../../runs/directory/run-directory.js";
import { FILES } from "../../../runs/directory/run-files.js";
import {
  type EvaluationHooks,
  type EvaluationJob,
  type EvaluationOutcome,
  outcomeOf,
} from "./evaluation-job.js";

/**
 * Runs a submission's episodes in this thread, as `robot-eval run --agent <relay>` does. A run that a host fault ended
 * is resumed, so that no judged episode runs twice.
 */
export async function evaluate(
  job: EvaluationJob,
  { onProgress }: EvaluationHooks,
  signal: AbortSignal,
): Promise<EvaluationOutcome> {
  const { benchmark, set, limit, agent, outDir, workers, concurrency, submissionId } = job;
  const path = join(outDir, submissionId);
  const options = {
    ...{ agent, workers, concurrency, signal },
    onEvent: (event: { readonly done: number; readonly total: number }) =>
      onProgress(event.done, event.total),
  };
  if (await isResumable(path)) {
    return outcomeOf(await resumeRun(path, { ...options, retryInvalid: true }));
  }
  // The run is unreadable, for example because the disk was full when it started.
  await rm(path, { recursive: true, force: true });
  const evaluator = new UnifiedRobotEvaluator(loadConfig(benchmark, { set }), {
    // The first ones: all teams get the same episodes, whatever the version of robot-eval.
    ...{ ...options, first: limit, outDir, runId: submissionId },
  });
  return outcomeOf(await evaluator.run());
}

async function isResumable(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  // A submission has one evaluation at a time, so an existing lock belongs to a dead thread.
  await rm(join(path, FILES.lock), { force: true });
  try {
    await (await RunDirectory.open(path)).info();
    return existsSync(join(path, FILES.benchmark));
  } catch {
    return false;
  }
}

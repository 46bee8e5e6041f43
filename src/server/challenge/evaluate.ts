import { loadConfig } from "../../config/load.js";
import { UnifiedRobotEvaluator } from "../../evaluator/evaluator.js";
import type { EvaluationHooks, EvaluationJob, EvaluationOutcome } from "./evaluation-job.js";

/** Runs a submission's episodes here: what `robot-eval run --agent <relay>` does, into the challenge's own folder. */
export async function evaluate(
  job: EvaluationJob,
  { onProgress }: EvaluationHooks,
  signal: AbortSignal,
): Promise<EvaluationOutcome> {
  const { benchmark, set, limit, agent, outDir, workers, concurrency, submissionId } = job;
  const evaluator = new UnifiedRobotEvaluator(loadConfig(benchmark, { set }), {
    ...{ agent, limit, outDir, workers, concurrency, signal, runId: submissionId },
    onEvent: (event) => onProgress(event.done, event.total),
  });
  const { run_dir: runDir, ...summary } = await evaluator.run();
  return { summary, runDir };
}

import { join } from "node:path";
import type { EpisodeLine, RunInfo, RunResults } from "../core/interfaces/result.js";
import { FILES } from "../runs/run-files.js";
import type { RunWriter } from "../runs/run-writer.js";
import type { EpisodeResult } from "./crew.js";
import { Evaluation, type EvaluationOptions, GivenUp, type Work } from "./evaluation.js";
import type { EvaluationEvent } from "./events.js";
import { LogFolder } from "./log-folder.js";
import type { RunPlan } from "./prepare.js";
import type { Job } from "./queue.js";
import { Recorder } from "./recorder.js";
import type { VideoChoice } from "./video/film.js";

export interface ConductOptions
  extends Omit<EvaluationOptions, "savesTrajectories" | "video" | "logFolder"> {
  /** When aborted, the running episodes are finished and the run ends as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: EvaluationEvent) => void) | undefined;
}

/** A run, new or taken up again. */
export interface Course {
  readonly plan: RunPlan;
  /** All of the run's. */
  readonly jobs: readonly Job[];
  /** Those that are still to be run. */
  readonly left: readonly Job[];
  /** Lines that are there already. */
  recalled?(): AsyncIterable<EpisodeLine>;
  readonly savesTrajectories: boolean;
  readonly video: VideoChoice;
  /** Who runs what is left; simulators and agents in this process if absent. */
  open?(): Promise<Work>;
  /** Called when simulators and agents are ready; a wrong set-up leaves no run. */
  begin(missingSensors: readonly string[]): Promise<Begun>;
}

interface Begun {
  readonly info: RunInfo;
  /** Undefined where nothing is to be written. */
  readonly writer: RunWriter | undefined;
}

/** Runs what is left of a course and writes down what comes of it. */
export async function conduct(course: Course, options: ConductOptions): Promise<RunResults> {
  const { plan, jobs, left, savesTrajectories, video } = course;
  const logs = new LogFolder();
  const recorded = {
    savesTrajectories,
    keepsGeometry: savesTrajectories,
    video,
    logFolder: logs.known,
  };
  const here = () => Evaluation.open(plan, left, { ...options, ...recorded });
  const work = left.length > 0 ? await (course.open?.() ?? here()) : undefined;
  let writer: RunWriter | undefined;
  try {
    const begun = await course.begin(work?.missingSensors ?? []);
    writer = begun.writer;
    if (writer) logs.tell(join(writer.path, FILES.logs));
    const { info } = begun;
    const warnings = [...info.warnings];
    const giveUp = new AbortController();
    const onWarning = (message: string) => {
      if (warnings.includes(message)) return;
      warnings.push(message);
      begun.writer?.log.add({ level: "warning", event: "warning", message });
    };
    const onGiveUp = (why: string) => {
      warnings.push(`the run was given up: ${why}`);
      giveUp.abort(new GivenUp(why));
    };
    const recorder = new Recorder({
      plan,
      runId: info.run_id,
      jobs,
      queue: work?.queue,
      writer,
      onEvent: options.onEvent,
      onWarning,
      onGiveUp,
    });
    for await (const line of course.recalled?.() ?? []) recorder.recall(line);
    options.onEvent?.({
      type: "started",
      runId: info.run_id,
      runDir: writer?.path ?? null,
      total: recorder.total,
      done: recorder.done,
      warnings,
    });
    const signal = AbortSignal.any([giveUp.signal, ...(options.signal ? [options.signal] : [])]);
    const keep = (result: EpisodeResult, job: Job) => recorder.keep(result, job);
    await work?.run(keep, signal, { onWarning, onGiveUp });
    const cutShort = (work?.queue.size ?? 0) > 0;
    const status = cutShort ? (giveUp.signal.aborted ? "failed" : "cancelled") : "done";
    const summary = recorder.summary(status);
    const at = new Date().toISOString();
    const runDir = await writer?.finish(summary, at, warnings, recorder.isBeyond);
    return { ...summary, run_dir: runDir ?? null };
  } catch (error) {
    await writer?.abandon();
    throw error;
  } finally {
    await work?.close();
  }
}

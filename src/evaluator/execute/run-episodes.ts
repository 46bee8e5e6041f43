import { join } from "node:path";
import type { EpisodeLine, RunInfo, RunResults } from "../../core/interfaces/result.js";
import { FILES } from "../../runs/directory/run-files.js";
import type { RunWriter } from "../../runs/directory/run-writer.js";
import type { RunPlan } from "../plan/prepare.js";
import type { Job, JobQueue } from "../plan/queue.js";
import type { EvaluationEvent } from "../record/events.js";
import { LogFolder } from "../record/log-folder.js";
import { Recorder } from "../record/recorder.js";
import type { TaskStop } from "../record/task-stop.js";
import type { VideoChoice } from "../record/video/film.js";
import { type Execution, RunAborted, Scheduler, type SchedulerOptions } from "./scheduler.js";
import type { EpisodeResult } from "./worker-pool.js";

/** What another run decides about this one, in a duel. */
export interface PairedRun {
  /** By task. */
  readonly stops: ReadonlyMap<string, TaskStop>;
  makeQueue(jobs: readonly Job[]): JobQueue;
  /** Resolves when it is known which of the run's lines count, or `signal` is aborted. */
  settled(signal: AbortSignal): Promise<void>;
}

export interface RunOptions
  extends Omit<SchedulerOptions, "savesTrajectories" | "video" | "logFolder" | "makeQueue"> {
  /** Makes the run part of a duel. */
  readonly pair?: ((plan: RunPlan, jobs: readonly Job[]) => PairedRun) | undefined;
  /** When aborted, the running episodes are finished and the run ends as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: EvaluationEvent) => void) | undefined;
}

/** A new run, or one that is resumed. */
export interface RunSpec {
  readonly plan: RunPlan;
  /** All jobs of the run. */
  readonly jobs: readonly Job[];
  /** Jobs that still have to run. */
  readonly left: readonly Job[];
  /** Episode lines recorded before the run was resumed. */
  recorded?(): AsyncIterable<EpisodeLine>;
  readonly savesTrajectories: boolean;
  readonly video: VideoChoice;
  /** Opens what executes the jobs. Default: simulators and agents in this process. */
  open?(): Promise<Execution>;
  /** Called when simulators and agents are ready, so that a wrong set-up leaves no run directory. */
  begin(missingSensors: readonly string[]): Promise<StartedRun>;
}

interface StartedRun {
  readonly info: RunInfo;
  /** Undefined if nothing is written. */
  readonly writer: RunWriter | undefined;
}

/** Runs the remaining jobs and records their results. */
export async function runEpisodes(spec: RunSpec, options: RunOptions): Promise<RunResults> {
  const { plan, jobs, left, savesTrajectories, video } = spec;
  const logs = new LogFolder();
  const outputs = {
    savesTrajectories,
    keepsGeometry: savesTrajectories,
    video,
    logFolder: logs.known,
  };
  const paired = options.pair?.(plan, jobs);
  const makeQueue = paired && ((some: readonly Job[]) => paired.makeQueue(some));
  const local = () => Scheduler.open(plan, left, { ...options, ...outputs, makeQueue });
  const execution = left.length > 0 ? await (spec.open?.() ?? local()) : undefined;
  let writer: RunWriter | undefined;
  try {
    const started = await spec.begin(execution?.missingSensors ?? []);
    writer = started.writer;
    if (writer) logs.tell(join(writer.path, FILES.logs));
    const { info } = started;
    const warnings = [...info.warnings];
    const giveUp = new AbortController();
    const onWarning = (message: string) => {
      if (warnings.includes(message)) return;
      warnings.push(message);
      started.writer?.log.add({ level: "warning", event: "warning", message });
    };
    const onGiveUp = (why: string) => {
      warnings.push(`the run was given up: ${why}`);
      giveUp.abort(new RunAborted(why));
    };
    const recorder = new Recorder({
      plan,
      runId: info.run_id,
      jobs,
      queue: execution?.queue,
      stops: paired?.stops,
      writer,
      onEvent: options.onEvent,
      onWarning,
      onGiveUp,
    });
    for await (const line of spec.recorded?.() ?? []) recorder.addRecorded(line);
    options.onEvent?.({
      type: "started",
      runId: info.run_id,
      runDir: writer?.path ?? null,
      total: recorder.total,
      done: recorder.done,
      warnings,
    });
    const signal = AbortSignal.any([giveUp.signal, ...(options.signal ? [options.signal] : [])]);
    const save = (result: EpisodeResult, job: Job) => recorder.save(result, job);
    await execution?.run(save, signal, { onWarning, onGiveUp });
    await paired?.settled(signal);
    const incomplete = (execution?.queue.size ?? 0) > 0;
    const status = incomplete ? (giveUp.signal.aborted ? "failed" : "cancelled") : "done";
    const summary = recorder.summary(status);
    const at = new Date().toISOString();
    const runDir = await writer?.finish(summary, at, warnings, recorder.isBeyond);
    return { ...summary, run_dir: runDir ?? null };
  } catch (error) {
    await writer?.abandon();
    throw error;
  } finally {
    await execution?.close();
  }
}

import { join } from "node:path";
import type { EpisodeLine, RunInfo, RunResults } from "../../core/interfaces/result.js";
import { FILES } from "../../runs/directory/run-files.js";
import { labelsOf } from "../../runs/directory/run-labels.js";
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
  /** Early stops, keyed by task. */
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
  /** Called with what the user should know while it happens, such as a policy that is awaited. */
  readonly onNotice?: ((text: string) => void) | undefined;
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
  begin(opened: Opened): Promise<StartedRun>;
}

/** What is known once simulators and agents are ready. */
type Opened = Pick<Execution, "missingSensors" | "policies">;

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
    const started = await spec.begin(execution ?? { missingSensors: [], policies: {} });
    writer = started.writer;
    if (writer) logs.tell(join(writer.path, FILES.simulatorLogs));
    const { info } = started;
    const warnings = [...info.warnings];
    const giveUp = new AbortController();
    const onWarning = (message: string) => {
      if (warnings.includes(message)) return;
      warnings.push(message);
      started.writer?.log.add({ level: "warning", event: "warning", message });
    };
    let givenUp: string | undefined;
    const onGiveUp = (why: string) => {
      // Episodes that were under way may report the same.
      if (givenUp !== undefined) return;
      givenUp = why;
      warnings.push(`the run was given up: ${why}`);
      giveUp.abort(new RunAborted(why));
    };
    const recorder = new Recorder({
      plan,
      runId: info.run_id,
      labels: info,
      jobs,
      queue: execution?.queue,
      stops: paired?.stops,
      writer,
      onEvent: options.onEvent,
      onNotice: options.onNotice,
      // The workers of a cluster count absences themselves.
      whenLost: spec.open ? undefined : plan.loaded.config.policy.when_lost,
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
    // On a cluster, policies are known when a worker has connected to them.
    const { policies = execution?.policies } = info;
    const summary = { ...recorder.summary(status), ...labelsOf({ ...info, policies }) };
    const at = new Date().toISOString();
    const runDir = await writer?.finish(summary, at, warnings, recorder.isBeyond);
    const reason = status === "failed" && givenUp !== undefined ? { given_up: givenUp } : {};
    return { ...summary, run_dir: runDir ?? null, ...reason };
  } catch (error) {
    await writer?.abandon();
    throw error;
  } finally {
    await execution?.close();
  }
}

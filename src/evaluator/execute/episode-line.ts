import { episodeKey } from "../../core/episode/base.js";
import type { EpisodeError, EpisodeLine } from "../../core/interfaces/result.js";
import { recordOf } from "../../core/perturbation/record.js";
import type { ResolvedTask } from "../../registry/resolved-task.js";
import type { Job } from "../plan/queue.js";
import { agentSeed, episodeSeed } from "../plan/seeding.js";
import type { EpisodeReport } from "./episode-loop.js";

/** An episode's key in the run, and the seeds derived from it. */
export interface EpisodeIdentity {
  readonly key: string;
  readonly seed: number;
  readonly agentSeed: number;
}

export function identify({ task, episode, repeat }: Job, benchmarkSeed: number): EpisodeIdentity {
  const key = episodeKey(task, episode.sceneId, episode.episodeId);
  return {
    key,
    seed: episodeSeed(benchmarkSeed, key),
    agentSeed: agentSeed(benchmarkSeed, key, repeat),
  };
}

/** Makes the line of episodes.jsonl. The name of the trajectory is added when it is saved. */
export function lineOf(
  task: ResolvedTask,
  { episode, repeat, attempt }: Job,
  identity: EpisodeIdentity,
  report: EpisodeReport,
  wallMs: number,
): EpisodeLine {
  const perturbation = recordOf(episode);
  return {
    episode_key: identity.key,
    episode_id: episode.episodeId,
    scene_id: episode.sceneId,
    task: task.name,
    task_type: task.type,
    repeat,
    attempt,
    seed: identity.seed,
    agent_seed: identity.agentSeed,
    ...(perturbation ? { perturbation } : {}),
    outcome: report.outcome,
    ...(report.fault ? { fault: report.fault } : {}),
    end_reason: report.endReason,
    metrics: report.metrics,
    profile: task.profile,
    steps: report.steps,
    ...(report.actions === report.steps ? {} : { actions: report.actions }),
    wall_ms: wallMs,
    sim_ms: report.simMs,
    agent_ms: report.agentMs,
    agent_latency_ms: report.latencyMs,
    initial_state_hash: report.initialStateHash,
    final_state_hash: report.finalStateHash,
    ...(report.nondeterministic ? { nondeterministic: true } : {}),
    trajectory: null,
    ...(report.error ? { error: report.error } : {}),
    explanation: report.explanation,
  };
}

/** The report of an episode that a platform fault ended before it produced any data. */
export function platformFault(endReason: string, error: EpisodeError): EpisodeReport {
  return {
    outcome: "invalid",
    fault: "platform",
    endReason,
    metrics: {},
    steps: 0,
    actions: 0,
    simMs: 0,
    agentMs: 0,
    latencyMs: null,
    initialStateHash: null,
    finalStateHash: null,
    error,
    explanation: `not counted (platform fault): ${error.message}`,
  };
}

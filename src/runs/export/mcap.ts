import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { policiesText } from "../../core/policy-identity.js";
import { DEFAULT_FPS } from "../../dataset/lerobot/step-clock.js";
import { writeSynced } from "../../dataset/write-file.js";
import { RunDirectory } from "../directory/run-directory.js";
import { PACKAGE_VERSION } from "../directory/versions.js";
import type { ExportFormat, ExportSource } from "./format.js";
import { mcapBytes } from "./mcap-file.js";
import { episodeMessages } from "./mcap-messages.js";
import { stepsOf } from "./steps.js";

/**
 * MCAP for Foxglove, one file per episode with times from 0 s. Axes are Foxglove's (z up) in `/tf`, `/pose` and
 * `/scene`, and those of the recording in `/state`.
 */
export const mcapFormat: ExportFormat = {
  name: "mcap",
  description:
    "a folder with one MCAP file per episode, or a single file with --episode; for Foxglove",
  kind: ({ episode }) => (episode === undefined ? "folder" : "file"),
  takes: ["only", "episode", "repeat", "fps"],
  owns: async (out) => (await readdir(out)).every((name) => name.endsWith(".mcap")),

  async write(source, to) {
    const { episode, fps = DEFAULT_FPS } = source.choices;
    let [episodes, leftOut] = [0, 0];
    let hasClock = true;
    for await (const line of source.lines()) {
      // An episode that never began has no steps to export.
      if (line.outcome === "invalid" && line.trajectory === null) {
        leftOut++;
        continue;
      }
      const trajectory = await stepsOf(source, line);
      const messages = [...episodeMessages(line, trajectory, fps)];
      const about = metadataOf(source, line, trajectory.records[0]);
      const bytes = await mcapBytes(messages, about, `robot-eval ${PACKAGE_VERSION}`);
      const file = episode === undefined ? join(to, fileName(line)) : to;
      await writeSynced(file, bytes);
      hasClock &&= trajectory.records[0]?.time_s !== undefined;
      episodes++;
    }
    if (!hasClock && source.choices.fps === undefined) {
      source.note(
        `the simulator has no clock: steps are exported at ${DEFAULT_FPS} per second (--fps sets another rate)`,
      );
    }
    if (leftOut > 0) source.note(`${leftOut} invalid episodes that never began are left out`);
    return { episodes, left_out: leftOut };
  },
};

/** The name of the trajectory file with another extension. */
function fileName(line: EpisodeLine): string {
  return `${basename(RunDirectory.trajectoryName(line), ".jsonl.gz")}.mcap`;
}

/** Ids of the episode and the run as strings, the only type that MCAP metadata allows. */
function metadataOf(
  { info }: ExportSource,
  line: EpisodeLine,
  first: StepRecord | undefined,
): Readonly<Record<string, string>> {
  const fields = {
    run_id: info.run_id,
    benchmark: info.benchmark.name,
    benchmark_sha256: info.benchmark.sha256,
    agent: info.agent,
    policy: policiesText(info.policies),
    run_name: info.name,
    robot_eval: info.versions.robot_eval,
    episode_key: line.episode_key,
    episode_id: line.episode_id,
    scene_id: line.scene_id,
    scene_sha256: first?.state.scene_sha256,
    task: line.task,
    task_type: line.task_type,
    repeat: line.repeat,
    attempt: line.attempt,
    seed: line.seed,
    agent_seed: line.agent_seed,
    outcome: line.outcome,
    fault: line.fault,
    end_reason: line.end_reason,
    profile: line.profile,
    steps: line.steps,
    initial_state_hash: line.initial_state_hash,
    final_state_hash: line.final_state_hash,
    explanation: line.explanation,
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known.map(([key, value]) => [key, String(value)]));
}

import { join } from "node:path";
import { encodeImage } from "../../api/codec/image.js";
import { makeFolder } from "../../config/output-path.js";
import { ConfigError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { lerobotTarget } from "../../dataset/convert/lerobot.js";
import { type ActionCode, actionCode } from "../../dataset/lerobot/actions.js";
import { pixelSums } from "../../dataset/lerobot/image-stats.js";
import { JsonLinesFile } from "../../dataset/lerobot/json-lines-file.js";
import { DEFAULT_FPS } from "../../dataset/lerobot/step-clock.js";
import { taskText } from "../../dataset/lerobot/task-text.js";
import { createLerobotWriter, type LerobotWriter } from "../../dataset/lerobot/writer.js";
import {
  imageFeature,
  type WrittenEpisode,
  type WrittenFeature,
  type WrittenImage,
} from "../../dataset/lerobot/written.js";
import { writeSynced } from "../../dataset/write-file.js";
import { PACKAGE_VERSION } from "../directory/versions.js";
import type { EpisodeImages, ExportFormat, ExportSource } from "./format.js";
import { EE_POSE, featuresOf, robotTypeOf, STATE, spaceOf, tasksOf } from "./lerobot-features.js";
import { type FrameShape, FrameSurvey, stateNumbers } from "./lerobot-frames.js";
import { nameOf, stepsOf } from "./steps.js";

/**
 * LeRobot: the rollouts as demonstrations, one episode per valid result line. A frame is a state and the action
 * taken in it, so the state after the last action is omitted. Trajectories contain no images: `choices.images` renders
 * them again.
 */
export const lerobotFormat: ExportFormat = {
  name: "lerobot",
  description:
    "LeRobot v3.0 (or 2.1) dataset of the rollouts: states and actions; images with --images",
  kind: () => "folder",
  takes: ["only", "episode", "repeat", "fps", "lerobotVersion", "images"],
  owns: async (out) => (await lerobotTarget.owns?.(out)) ?? false,

  async write(source, folder) {
    const survey = await surveyOf(source);
    const { shape } = survey;
    if (!shape) return { episodes: 0 };
    const tasks = await tasksOf(source);
    const code = actionCode(spaceOf(tasks, survey, shape));
    const fps = fpsOf(source, shape);
    const robotType = robotTypeOf(source, tasks);
    let writer: LerobotWriter | undefined;
    makeFolder(join(folder, "meta"));
    const origins = await JsonLinesFile.create(join(folder, "meta", "robot_eval_episodes.jsonl"));
    try {
      let [index, leftOut] = [0, 0];
      for await (const line of source.lines()) {
        if (!isKept(line)) {
          leftOut++;
          continue;
        }
        const { episode, records } = await stepsOf(source, line);
        const images = await imagesOf(line, source.choices.images);
        const features = { ...imageFeatures(images), ...featuresOf(tasks, shape, code) };
        const own = { fps, robotType, features };
        writer ??= await createLerobotWriter(folder, own, source.choices.lerobotVersion);
        await writer.add({
          images,
          name: nameOf(line),
          task: taskText(episode, line.task),
          ...framesOf(records, shape, code),
        });
        await origins.add(originOf(line, index++));
      }
      if (!writer) return { episodes: 0 };
      const totals = await writer.finish();
      await writeSynced(join(folder, "meta", "robot_eval.json"), headText(source));
      if (survey.hasArguments) {
        source.note(
          "actions such as goto:<node> lose their argument: only the action name is exported",
        );
      }
      if (leftOut > 0) {
        source.note(`${leftOut} episodes that are invalid or have no step are left out`);
      }
      return { ...totals, left_out: leftOut };
    } finally {
      await origins.close();
      await writer?.close();
    }
  },
};

/** The encoded images by feature. Each is encoded when it is rendered, because raw images are large. */
async function imagesOf(
  line: EpisodeLine,
  framesOf: EpisodeImages | undefined,
): Promise<Map<string, WrittenImage[]>> {
  const images = new Map<string, WrittenImage[]>();
  if (!framesOf) return images;
  for await (const frame of framesOf(line)) {
    for (const [camera, image] of frame) {
      const feature = `observation.images.${camera}`;
      const written = { bytes: await encodeImage(image), sums: pixelSums(image) };
      const known = images.get(feature);
      if (known) known.push(written);
      else images.set(feature, [written]);
    }
  }
  return images;
}

function imageFeatures(images: ReadonlyMap<string, readonly WrittenImage[]>) {
  const features: Record<string, WrittenFeature> = {};
  for (const [name, [first]] of images) if (first) features[name] = imageFeature(first.sums);
  return features;
}

/** False for invalid episodes and for those without a step, such as when the first action was rejected. */
function isKept({ outcome, steps }: EpisodeLine): boolean {
  return outcome !== "invalid" && steps > 0;
}

async function surveyOf(source: ExportSource): Promise<FrameSurvey> {
  const survey = new FrameSurvey();
  for await (const line of source.lines()) {
    if (!isKept(line)) continue;
    const { records } = await stepsOf(source, line);
    survey.add(line, records, source.run.trajectoryOf(line) ?? source.run.path);
  }
  return survey;
}

function framesOf(
  records: readonly StepRecord[],
  { rate, eeWidth }: FrameShape,
  code: ActionCode,
): Pick<WrittenEpisode, "numbers" | "timestamps"> {
  const numbers = new Map<string, (readonly number[])[]>();
  const push = (feature: string, row: readonly number[]) => {
    const rows = numbers.get(feature);
    if (rows) rows.push(row);
    else numbers.set(feature, [row]);
  };
  const [first, ...acted] = records;
  let state = first?.state ?? {};
  for (const record of acted) {
    push(STATE, stateNumbers(state).map(Math.fround));
    if (eeWidth > 0) push(EE_POSE, (state.ee_pose ?? []).map(Math.fround));
    for (const [feature, row] of Object.entries(code.encode(record.action ?? [])))
      push(feature, row);
    state = record.state;
  }
  const times = records.slice(0, -1).flatMap(({ time_s }) => time_s ?? []);
  return { numbers, timestamps: rate === undefined ? undefined : times };
}

function fpsOf(source: ExportSource, { rate }: FrameShape): number {
  const { fps } = source.choices;
  if (rate === undefined) {
    if (fps !== undefined) return fps;
    source.note(
      `the simulator has no clock: frames are exported at ${DEFAULT_FPS} per second (--fps sets another rate)`,
    );
    return DEFAULT_FPS;
  }
  if (fps === undefined || fps === rate) return rate;
  throw new ConfigError("bad_fps", `the simulator ran at ${rate} steps per second`, {
    where: "--fps",
    hint: "remove --fps: it is only for simulators without a clock",
  });
}

/** Fields of a result line that have no place in a frame. */
function originOf(line: EpisodeLine, episodeIndex: number): object {
  const {
    trajectory: _file,
    video: _film,
    geometry: _looks,
    agent_latency_ms: _latency,
    ...rest
  } = line;
  const { wall_ms: _wall, sim_ms: _sim, agent_ms: _agent, ...kept } = rest;
  return { episode_index: episodeIndex, ...kept };
}

function headText({ info, choices }: ExportSource): string {
  const { run_id, kind, benchmark, config, selection, seed, agent, versions } = info;
  const head = {
    format: "robot-eval-export/1",
    robot_eval: PACKAGE_VERSION,
    run: { run_id, kind, benchmark, agent, seed, selection, versions, config },
    only: choices.only ?? "all",
  };
  return `${JSON.stringify(head, null, 2)}\n`;
}

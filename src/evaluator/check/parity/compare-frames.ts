import type { BaseEpisode } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import { isImage } from "../../../core/interfaces/observation.js";
import { type OriginalFrame, readFrame } from "../../../simulator/frozen/frames.js";
import type { FrozenSimulator } from "../../../simulator/frozen/frozen-simulator.js";
import type { Rollout } from "../../../simulator/frozen/rollouts.js";
import type { FrozenWorld } from "../../../simulator/frozen/world-files.js";
import { psnr } from "../../../stats/image/psnr.js";
import { ssim } from "../../../stats/image/ssim.js";
import { withStart } from "./changed-start.js";
import type { FrameParity, FramesParity } from "./documents.js";

/** A frame of the original, with its pixels, and the state that it shows. */
export interface DrawnState {
  readonly frame: OriginalFrame;
  readonly theirs: Uint8Array;
  readonly episode: BaseEpisode;
  readonly qpos: readonly number[];
}

/** Reads the frames of a world. @throws DataError if a file is damaged, or no rollout has the state that it shows */
export async function readFrames(
  { path, description: { frames, cameras } }: FrozenWorld,
  rollouts: readonly { readonly rollout: Rollout; readonly episode: BaseEpisode }[],
): Promise<readonly DrawnState[]> {
  const states: DrawnState[] = [];
  for (const frame of frames) {
    const { episode_id, step } = frame;
    const found = rollouts.find(({ rollout }) => rollout.episode_id === episode_id);
    const qpos = found?.rollout.qpos[step];
    if (!found || !qpos) {
      const problem = `there is a frame of step ${step} of episode ${episode_id}, of which there is no rollout with that step`;
      throw new DataError("bad_frame", problem, {
        where: path,
        hint: "write the world again with python -m robot_eval_client.freeze --frames",
      });
    }
    const theirs = await readFrame(path, frame, cameras);
    states.push({ frame, theirs, episode: found.episode, qpos });
  }
  return states;
}

/**
 * Draws the states of the original's frames with our renderer and compares the images.
 *
 * @param simulator has the cameras of the frames as sensors
 * @returns null if there are no frames
 */
export async function compareFrames(
  simulator: FrozenSimulator,
  { path, description: { cameras } }: FrozenWorld,
  states: readonly DrawnState[],
): Promise<FramesParity | null> {
  const found: FrameParity[] = [];
  for (const { frame, theirs, episode, qpos } of states) {
    const { episode_id, step, camera, mocap_pos, mocap_quat } = frame;
    const placed = withStart(episode, ({ state }) => ({
      state: { ...state, qpos: [...qpos], mocap_pos, mocap_quat },
      ...{ warm_up: undefined, first_step: undefined },
    }));
    const image = (await simulator.reset(placed)).observation[`${camera}_image`];
    if (!isImage(image) || image.kind !== "rgb") throw new Error(`${path}: no image of ${camera}`);
    const psnr_db = Math.min(MOST_DB, psnr(image.data, theirs));
    found.push({ episode_id, step, camera, psnr_db, ssim: ssim(image.data, theirs, cameras) });
  }
  return found.length > 0 ? summaryOf(found) : null;
}

/** Ratios are limited to this, because that of equal images is infinite. */
const MOST_DB = 100;
/** Means that images of ours and of MuJoCo's renderer reach. */
const SIMILAR = { psnrDb: 30, ssim: 0.97 };

function summaryOf(frames: readonly FrameParity[]): FramesParity {
  const mean = (of: (frame: FrameParity) => number) =>
    frames.reduce((sum, frame) => sum + of(frame), 0) / frames.length;
  const psnr_db = mean((frame) => frame.psnr_db);
  const similarity = mean((frame) => frame.ssim);
  return {
    frames,
    mean_psnr_db: psnr_db,
    min_psnr_db: Math.min(...frames.map((frame) => frame.psnr_db)),
    mean_ssim: similarity,
    min_ssim: Math.min(...frames.map((frame) => frame.ssim)),
    similar: psnr_db >= SIMILAR.psnrDb && similarity >= SIMILAR.ssim,
  };
}

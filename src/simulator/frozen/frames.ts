import { DataError, errorMessage } from "../../core/errors.js";
import type { FrozenDescription } from "./description.js";
import { readChecked } from "./world-files.js";

/** What one camera of the original saw at a step of a rollout. */
export type OriginalFrame = FrozenDescription["frames"][number];

const FOLDER = "frames";

/**
 * The pixels of a frame: r, g, b, row by row.
 *
 * @param world path of the world's description
 * @throws DataError if the file is missing, changed, no PNG, or of another size than the cameras
 */
export async function readFrame(
  world: string,
  { file, sha256, camera, step, episode_id }: OriginalFrame,
  { width, height }: FrozenDescription["cameras"],
): Promise<Uint8Array> {
  const bytes = await readChecked(world, `${FOLDER}/${file}`, sha256);
  const bad = (problem: string, cause?: unknown) =>
    new DataError(
      "bad_frame",
      `the frame of ${camera} at step ${step} of episode ${episode_id} ${problem}`,
      {
        where: `${FOLDER}/${file} of ${world}`,
        hint: "write the world again with python -m robot_eval_client.freeze --frames",
        cause,
      },
    );
  const { default: sharp } = await import("sharp");
  try {
    const options = { failOn: "truncated", limitInputPixels: 4096 * 4096 } as const;
    const image = sharp(bytes, options);
    const found = await image.metadata();
    if (found.format !== "png" || found.width !== width || found.height !== height) {
      const size = `${found.width} x ${found.height}`;
      throw bad(`is a ${found.format} of ${size}, not a png of ${width} x ${height}`);
    }
    return new Uint8Array(await image.toColourspace("srgb").removeAlpha().raw().toBuffer());
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw bad(`cannot be read: ${errorMessage(error)}`, error);
  }
}

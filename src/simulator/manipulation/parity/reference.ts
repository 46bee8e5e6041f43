import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError, errorMessage } from "../../../core/errors.js";

const groups = z.array(z.int().min(0).max(5));

/** `state.json` of a folder with reference frames. */
const stateSchema = z.object({
  /** Version of the MuJoCo that drew the frames. */
  mujoco: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  /** Samples per pixel of the colour images. */
  samples: z.int().min(0),
  qpos: z.array(z.number()),
  /** The groups of geoms and sites that are visible. */
  geom_groups: groups,
  site_groups: groups,
  cameras: z
    .array(
      z.object({
        /** A camera of the model. */
        name: z.string().regex(/^[\w-]+$/),
        /** Median CPU time of a frame in milliseconds, where it was measured. */
        ms: z.number().positive().optional(),
        /** The same in wall time. */
        wall_ms: z.number().positive().optional(),
      }),
    )
    .min(1),
});

export type ReferenceState = z.infer<typeof stateSchema>;

/** The images of one camera, row by row from the top. */
export interface ReferenceFrame {
  readonly rgb: Uint8Array;
  /** Geom of each pixel; -1 for the background. Sites are not drawn here. */
  readonly geoms: Int32Array;
  /** Metres along the optical axis. */
  readonly depth: Float32Array;
}

/** The state of a folder that `bench/mujoco_look_peer.py` wrote. */
export async function readReferenceState(folder: string): Promise<ReferenceState> {
  const path = join(folder, "state.json");
  try {
    return stateSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new DataError(
      "bad_reference",
      `not a state of reference frames: ${errorMessage(error)}`,
      {
        where: path,
        hint: "write the folder with bench/mujoco_look_peer.py",
        cause: error,
      },
    );
  }
}

/** The images of a camera of such a folder. */
export async function readReferenceFrame(
  folder: string,
  camera: string,
  size: { readonly width: number; readonly height: number },
): Promise<ReferenceFrame> {
  const { default: sharp } = await import("sharp");
  const rgb = await sharp(join(folder, `theirs-${camera}.png`))
    .removeAlpha()
    .raw()
    .toBuffer();
  const raw = async (name: string) => {
    const { buffer, byteOffset, length } = await readFile(join(folder, name));
    return buffer.slice(byteOffset, byteOffset + length);
  };
  const frame = {
    rgb: new Uint8Array(rgb),
    geoms: new Int32Array(await raw(`segmentation-${camera}.i32`)),
    depth: new Float32Array(await raw(`depth-${camera}.f32`)),
  };
  const pixels = size.width * size.height;
  if ([frame.rgb.length / 3, frame.geoms.length, frame.depth.length].some((n) => n !== pixels)) {
    throw new DataError(
      "bad_reference",
      `the images of ${camera} are not ${size.width} x ${size.height}`,
      {
        where: folder,
        hint: "write the folder with bench/mujoco_look_peer.py",
      },
    );
  }
  return frame;
}

import type { Image } from "../../core/interfaces/observation.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import type { QuatXyzw } from "../../core/math/rotation.js";
import type { CameraOffset } from "../axes/camera.js";
import type { LightChange } from "../axes/light.js";
import type { Camera, Frame } from "../render/renderer.js";
import { categoryNumber } from "../scenes/categories.js";
import type { SceneInstance } from "../scenes/model.js";
import type { Pose } from "./kinematics.js";
import type { CameraKind, SensorSettings } from "./navmesh-config.js";
import type { LoadedScene } from "./scene-library.js";

/** Instance number of a pixel that shows no object. */
const NOTHING = 0xffff;

/** A camera sensor of the benchmark: its name, its kind and its settings. */
export interface CameraSensor {
  readonly name: string;
  readonly kind: CameraKind;
  readonly settings: SensorSettings;
}

/** The scene that the cameras render. */
type Scene = Pick<LoadedScene, "renderer" | "semanticRenderer" | "model">;

/** The pose and index of one observation. Together they determine every image to the bit. */
export interface Shot {
  readonly pose: Pose;
  /** Radians upwards, added to the sensor's own pitch. */
  readonly tiltRad: number;
  readonly seed: number;
  readonly step: number;
  /** Perturbations of the episode. */
  readonly camera?: CameraOffset | undefined;
  readonly light?: LightChange | undefined;
}

/**
 * Renders the images of an observation on demand. Sensors with the same viewpoint and lens share one render
 * pass, so a depth image adds almost no cost to its colour image.
 */
export class Cameras {
  constructor(private readonly sensors: readonly CameraSensor[]) {}

  /** Adds a getter for each camera to an observation. */
  addTo(observation: Record<string, unknown>, scene: Scene, shot: Shot): void {
    const frames = new Map<string, Frame>();
    for (const sensor of this.sensors) {
      let image: Image | undefined;
      Object.defineProperty(observation, sensor.name, {
        enumerable: true,
        get: () => {
          image ??= this.#image(sensor, scene, shot, frames);
          return image;
        },
      });
    }
  }

  #image(sensor: CameraSensor, scene: Scene, shot: Shot, frames: Map<string, Frame>): Image {
    const lensFor = ({ kind, settings }: CameraSensor): string => {
      const isApart = kind === "semantic" && scene.model.semanticParts !== undefined;
      return `${lensOf(settings)}${isApart ? " semantic" : ""}`;
    };
    const lens = lensFor(sensor);
    let frame = frames.get(lens);
    if (!frame) {
      const kinds = new Set(
        this.sensors.filter((one) => lensFor(one) === lens).map(({ kind }) => kind),
      );
      const renderer = sensor.kind === "semantic" ? scene.semanticRenderer : scene.renderer;
      frame = renderer.render(cameraOf(sensor.settings, shot), {
        rgb: kinds.has("rgb"),
        // Semantic images need depth as well: only depth separates the building from empty background.
        depth: kinds.has("depth") || kinds.has("semantic"),
        ids: kinds.has("semantic"),
      });
      frames.set(lens, frame);
    }
    return imageOf(sensor, frame, scene.model.instances, shot);
  }
}

function lensOf({ width, height, hfov, camera_height, yaw, pitch }: SensorSettings): string {
  return [width, height, hfov, camera_height, yaw, pitch].join(" ");
}

export function cameraOf(settings: SensorSettings, { pose, tiltRad, camera }: Shot): Camera {
  const { width, height, hfov, camera_height, yaw, pitch } = settings;
  const [x, y, z] = pose.position;
  const headingRad = pose.headingRad + (yaw * Math.PI) / 180;
  const lookUpRad = tiltRad + (pitch * Math.PI) / 180;
  const usual: Camera = {
    width,
    height,
    hfovDeg: hfov,
    position: [x, y + camera_height, z],
    rotation: lookRotation(headingRad, lookUpRad),
  };
  if (!camera) return usual;
  const [right, up, back] = camera.offsetM;
  // At heading 0 the robot faces -z, so right is +x and back is +z.
  const [c, s] = [Math.cos(headingRad), Math.sin(headingRad)];
  return {
    ...usual,
    position: [x + c * right + s * back, y + camera_height + up, z - s * right + c * back],
    rotation: lookRotation(
      headingRad + (camera.panDeg * Math.PI) / 180,
      lookUpRad + (camera.tiltDeg * Math.PI) / 180,
    ),
  };
}

/** Rotates about the vertical axis, then about the camera's own x axis. */
function lookRotation(headingRad: number, tiltRad: number): QuatXyzw {
  const [sy, cy] = [Math.sin(headingRad / 2), Math.cos(headingRad / 2)];
  const [sx, cx] = [Math.sin(tiltRad / 2), Math.cos(tiltRad / 2)];
  return [cy * sx, sy * cx, -sy * sx, cy * cx];
}

function imageOf(
  { name, kind, settings }: CameraSensor,
  { width, height, ...frame }: Frame,
  instances: readonly SceneInstance[],
  { seed, step, light }: Shot,
): Image {
  // Each image has its own random stream, so its noise does not depend on which images are read, or when.
  const random = () => new Random(hash53(`${seed}/${name}/${step}`));
  if (kind === "rgb") {
    const seen = frame.rgb ?? new Uint8Array();
    const data = light ? lit(seen, light) : seen;
    return {
      kind,
      width,
      height,
      data: settings.noise > 0 ? noisyLevels(data, settings.noise, random()) : data,
    };
  }
  if (kind === "depth") {
    let data = frame.depth ?? new Float32Array();
    const { max_depth = Number.POSITIVE_INFINITY } = settings;
    if (max_depth < Number.POSITIVE_INFINITY) data = data.map((m) => (m > max_depth ? 0 : m));
    if (settings.noise > 0) data = noisyDepth(data, settings.noise, random());
    return { kind, width, height, data };
  }
  return { kind, width, height, data: semanticNumbers(settings.ids, frame, instances) };
}

/**
 * The category number of each pixel (0 for background), or its instance number (`NOTHING` for background).
 */
function semanticNumbers(
  ids: SensorSettings["ids"],
  frame: Pick<Frame, "ids" | "depth">,
  instances: readonly SceneInstance[],
): Uint16Array {
  const { depth } = frame;
  const numbers = Uint16Array.from(instances, ({ category }, i) =>
    ids === "instance" ? i : categoryNumber(category),
  );
  const nothing = ids === "instance" ? NOTHING : 0;
  return (frame.ids ?? new Uint16Array()).map((id, i) =>
    depth?.[i] === 0 ? nothing : (numbers[id] ?? nothing),
  );
}

/** Light multiplies the colours, as in the renderer. Returns a new image because sensors may share the frame. */
function lit(data: Uint8Array, { intensity, color }: LightChange): Uint8Array {
  return data.map((value, i) => Math.min(255, Math.round(value * intensity * (color[i % 3] ?? 1))));
}

/** Returns a new image because other sensors may share the frame. */
function noisyLevels(data: Uint8Array, levels: number, random: Random): Uint8Array {
  return data.map((value) =>
    Math.min(255, Math.max(0, Math.round(value + levels * random.normal()))),
  );
}

/** The error grows with distance, as in stereo and time-of-flight cameras. */
function noisyDepth(data: Float32Array, share: number, random: Random): Float32Array {
  return data.map((m) => (m === 0 ? 0 : Math.max(0, m * (1 + share * random.normal()))));
}

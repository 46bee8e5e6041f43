import type { Image } from "../../core/interfaces/observation.js";
import type { SensorConfig } from "../../core/task/types.js";
import { groupsOf, mujocoSensor } from "../manipulation/mujoco-config.js";
import type { VisibleGroups } from "../manipulation/physics/drawing/scene.js";
import type { Physics } from "../manipulation/physics/physics.js";
import { SnapshotPhysics } from "../manipulation/sensors/snapshot.js";
import { MujocoScenes } from "../manipulation/visual/mujoco-scenes.js";
import type { Frame } from "../render/renderer.js";
import type { FrozenDescription } from "./description.js";

const CAMERA = /^(.+)_(image|depth)$/;

interface Camera {
  readonly sensor: string;
  readonly camera: string;
  readonly kind: "rgb" | "depth";
  readonly width: number;
  readonly height: number;
  /** Groups that it sees instead of the world's. */
  readonly groups: Partial<VisibleGroups>;
}

/** The cameras of a frozen world: `<camera>_image` and `<camera>_depth`, drawn when they are read. */
export class FrozenCameras {
  readonly #cameras: readonly Camera[];
  readonly #snapshots: SnapshotPhysics;
  readonly #scenes: MujocoScenes;
  readonly #isFlipped: boolean;
  readonly #isMirrored: boolean;

  private constructor(
    physics: Physics,
    settings: FrozenDescription["cameras"],
    cameras: readonly Camera[],
  ) {
    this.#cameras = cameras;
    this.#snapshots = new SnapshotPhysics(physics, [
      ...new Set(cameras.map(({ camera }) => camera)),
    ]);
    this.#scenes = new MujocoScenes(this.#snapshots, {
      geomGroups: settings.geom_groups,
      siteGroups: settings.site_groups,
      // robosuite, Gymnasium and Meta-World read the depth of the colour image.
      transparentDepth: false,
    });
    this.#isFlipped = settings.origin === "bottom_left";
    this.#isMirrored = settings.mirrored;
  }

  /** Undefined if no camera of the world is asked for. */
  static open(
    physics: Physics,
    settings: FrozenDescription["cameras"],
    asked: Readonly<Record<string, SensorConfig>>,
  ): FrozenCameras | undefined {
    const cameras = Object.entries(asked).flatMap(([sensor, config]) => {
      const named = cameraNamed(sensor, settings);
      if (!named) return [];
      const own = mujocoSensor.parse(config);
      const { width = settings.width, height = settings.height } = own;
      return [{ sensor, ...named, width, height, groups: groupsOf(own) }];
    });
    return cameras.length > 0 ? new FrozenCameras(physics, settings, cameras) : undefined;
  }

  /** Adds the images of the current state to an observation. */
  addTo(observation: Record<string, unknown>): void {
    const snapshot = this.#snapshots.take();
    for (const camera of this.#cameras) {
      let image: Image | undefined;
      Object.defineProperty(observation, camera.sensor, {
        enumerable: true,
        get: () => {
          if (image) return image;
          this.#snapshots.show(snapshot);
          image = this.#draw(camera);
          return image;
        },
      });
    }
  }

  #draw({ camera, kind, width, height, groups }: Camera): Image {
    const frame: Frame = this.#scenes
      .showing(groups)
      .render(camera, { width, height }, { rgb: kind === "rgb", depth: kind === "depth" });
    if (kind === "rgb") {
      const data = frame.rgb ?? new Uint8Array();
      this.#arrange(data, width, 3);
      return { kind, width, height, data };
    }
    const data = frame.depth ?? new Float32Array();
    this.#arrange(data, width, 1);
    return { kind, width, height, data };
  }

  #arrange(data: Uint8Array | Float32Array, width: number, channels: number): void {
    if (this.#isFlipped) swapBlocks(data, channels * width);
    if (!this.#isMirrored) return;
    for (let start = 0; start < data.length; start += channels * width) {
      swapBlocks(data.subarray(start, start + channels * width), channels);
    }
  }
}

/** Undefined for a sensor that is no camera of the world. */
export function cameraNamed(
  sensor: string,
  { names }: FrozenDescription["cameras"],
): Pick<Camera, "camera" | "kind"> | undefined {
  const [, camera = "", kind] = CAMERA.exec(sensor) ?? [];
  return names.includes(camera) ? { camera, kind: kind === "depth" ? "depth" : "rgb" } : undefined;
}

/** Reverses the order of blocks, such as rows of an image or pixels of a row. */
function swapBlocks(data: Uint8Array | Float32Array, size: number): void {
  for (let from = 0, to = data.length - size; from < to; from += size, to -= size) {
    const block = data.slice(from, from + size);
    data.copyWithin(from, to, to + size);
    data.set(block, to);
  }
}

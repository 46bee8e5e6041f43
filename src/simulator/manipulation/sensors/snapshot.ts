import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { type DrawnPlaces, geomPoseAt } from "../physics/arrays.js";
import type { DrawingOptions, ModelDrawing } from "../physics/drawing/scene.js";
import type { Physics } from "../physics/physics.js";
import type { DrawnPhysics, PhysicsCamera } from "../visual/geom.js";
import type { DrawnModel } from "../visual/mujoco-scene.js";

/** Poses of geoms, sites, lights and cameras after one step. Taken at every step but rarely drawn, so it keeps raw arrays. */
export interface Snapshot {
  readonly places: DrawnPlaces;
  readonly cameras: ReadonlyMap<string, PhysicsCamera>;
}

/**
 * The physics at an earlier step. Images are rendered when they are read, which may be after later steps.
 */
export class SnapshotPhysics implements DrawnPhysics, DrawnModel {
  readonly #physics: Physics;
  readonly #cameras: readonly string[];
  #shown: Snapshot | undefined;

  constructor(physics: Physics, cameras: readonly string[]) {
    this.#physics = physics;
    this.#cameras = cameras;
  }

  take(): Snapshot {
    return {
      places: this.#physics.drawnPlaces(),
      cameras: new Map(this.#cameras.map((name) => [name, this.#physics.camera(name)])),
    };
  }

  /** Selects the snapshot to draw. */
  show(snapshot: Snapshot): void {
    this.#shown = snapshot;
  }

  geoms(): ReturnType<DrawnPhysics["geoms"]> {
    return this.#physics.geoms();
  }

  geomPose(index: number): Pose3 {
    return this.#shown ? geomPoseAt(this.#shown.places, index) : this.#physics.geomPose(index);
  }

  drawing(options: DrawingOptions): ModelDrawing {
    return this.#physics.drawing(options);
  }

  drawnPlaces(): DrawnPlaces {
    return this.#shown?.places ?? this.#physics.drawnPlaces();
  }

  camera(name: string): PhysicsCamera {
    return this.#shown?.cameras.get(name) ?? this.#physics.camera(name);
  }
}

import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { type GeomPlaces, geomPoseAt } from "../physics/arrays.js";
import type { Physics } from "../physics/physics.js";
import type { DrawnPhysics } from "../visual/geom.js";

/** Geom and camera poses after one step. Taken at every step but rarely drawn, so it keeps raw arrays. */
export interface Snapshot {
  readonly geoms: GeomPlaces;
  readonly cameras: ReadonlyMap<string, ReturnType<DrawnPhysics["camera"]>>;
}

/**
 * The physics at an earlier step. Images are rendered when they are read, which may be after later steps.
 */
export class SnapshotPhysics implements DrawnPhysics {
  readonly #physics: Physics;
  readonly #cameras: readonly string[];
  #shown: Snapshot | undefined;

  constructor(physics: Physics, cameras: readonly string[]) {
    this.#physics = physics;
    this.#cameras = cameras;
  }

  take(): Snapshot {
    return {
      geoms: this.#physics.geomPlaces(),
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
    return this.#shown ? geomPoseAt(this.#shown.geoms, index) : this.#physics.geomPose(index);
  }

  camera(name: string): ReturnType<DrawnPhysics["camera"]> {
    return this.#shown?.cameras.get(name) ?? this.#physics.camera(name);
  }
}

import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { type GeomPlaces, geomPoseAt } from "../physics/arrays.js";
import type { Physics } from "../physics/physics.js";
import type { DrawnPhysics } from "../visual/geom.js";

/** Where everything was at one step. Taken at every step, and looked at by few: poses are worked out on looking. */
export interface Still {
  readonly geoms: GeomPlaces;
  readonly cameras: ReadonlyMap<string, ReturnType<DrawnPhysics["camera"]>>;
}

/**
 * Physics as it was: a picture is drawn when somebody looks at it, and by then the world may have moved on.
 */
export class StillPhysics implements DrawnPhysics {
  readonly #physics: Physics;
  readonly #cameras: readonly string[];
  #still: Still | undefined;

  constructor(physics: Physics, cameras: readonly string[]) {
    this.#physics = physics;
    this.#cameras = cameras;
  }

  take(): Still {
    return {
      geoms: this.#physics.geomPlaces(),
      cameras: new Map(this.#cameras.map((name) => [name, this.#physics.camera(name)])),
    };
  }

  /** What is drawn from now on. */
  show(still: Still): void {
    this.#still = still;
  }

  geoms(): ReturnType<DrawnPhysics["geoms"]> {
    return this.#physics.geoms();
  }

  geomPose(index: number): Pose3 {
    return this.#still ? geomPoseAt(this.#still.geoms, index) : this.#physics.geomPose(index);
  }

  camera(name: string): ReturnType<DrawnPhysics["camera"]> {
    return this.#still?.cameras.get(name) ?? this.#physics.camera(name);
  }
}

import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import type { DrawnPhysics } from "./visual/geom.js";

/** Where everything was at one step. */
export interface Still {
  readonly geoms: readonly Pose3[];
  readonly cameras: ReadonlyMap<string, ReturnType<DrawnPhysics["camera"]>>;
}

/**
 * Physics as it was: a picture is drawn when somebody looks at it, and by then the world may have moved on.
 */
export class StillPhysics implements DrawnPhysics {
  readonly #physics: DrawnPhysics;
  readonly #cameras: readonly string[];
  #still: Still | undefined;

  constructor(physics: DrawnPhysics, cameras: readonly string[]) {
    this.#physics = physics;
    this.#cameras = cameras;
  }

  take(): Still {
    const count = this.geoms().length;
    return {
      geoms: Array.from({ length: count }, (_, i) => this.#physics.geomPose(i)),
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
    return this.#still?.geoms[index] ?? this.#physics.geomPose(index);
  }

  camera(name: string): ReturnType<DrawnPhysics["camera"]> {
    return this.#still?.cameras.get(name) ?? this.#physics.camera(name);
  }
}

import { DEFAULT_ENGINE, type Engine } from "../manipulation/physics/engine/names.js";
import { ModelCache } from "../manipulation/physics/model/cache.js";
import { Physics } from "../manipulation/physics/physics.js";
import { checkNames } from "./check-names.js";
import { readPolygons } from "./polygons.js";
import { type FrozenWorld, readFrozenWorld } from "./world-files.js";

/** A frozen world and its compiled model. */
export interface OpenWorld extends FrozenWorld {
  readonly physics: Physics;
}

/** The compiled model and its state take tens of megabytes each. */
const MAX_OPEN = 4;

/** Opens frozen worlds and keeps those used last: compiling their meshes takes seconds. */
export class FrozenWorlds {
  readonly #open = new Map<string, OpenWorld>();
  readonly #engine: Engine;
  readonly #cache: ModelCache | undefined;

  /** @param isForeign true for a stranger's worlds, which leave nothing in the account's folders */
  constructor(isForeign: boolean, engine: Engine) {
    this.#engine = engine;
    // The older engine can neither write nor read compiled models.
    const isCached = !isForeign && engine === DEFAULT_ENGINE;
    this.#cache = isCached ? new ModelCache() : undefined;
  }

  /** @throws DataError if the files are damaged, or MuJoCo rejects the model */
  async open(path: string): Promise<OpenWorld> {
    const world = this.#open.get(path) ?? (await this.#read(path));
    this.#open.delete(path);
    this.#open.set(path, world);
    for (const [oldest, unused] of [...this.#open].slice(0, -MAX_OPEN)) {
      unused.physics.dispose();
      this.#open.delete(oldest);
    }
    return world;
  }

  dispose(): void {
    for (const { physics } of this.#open.values()) physics.dispose();
    this.#open.clear();
  }

  async #read(path: string): Promise<OpenWorld> {
    const world = await readFrozenWorld(path);
    const { main, files, description } = world;
    const { control, unchecked_geoms, model } = description;
    const polygons = model.polygons && (await readPolygons(path, model.polygons));
    const physics = await Physics.create(
      { path: main },
      {
        ...{ files, where: path, timestepS: control.timestep_s, cache: this.#cache },
        ...{ uncheckedGeoms: unchecked_geoms, engine: this.#engine, polygons },
      },
    );
    try {
      checkNames(physics, description, path);
    } catch (error) {
      physics.dispose();
      throw error;
    }
    return { ...world, physics };
  }
}

import type { BodyInfo, JointInfo, ModelInspector } from "../physics/inspect-model.js";
import type { ModelCache } from "../physics/model-cache.js";
import { ELEMENT_KINDS, type ElementKind, unknownElement } from "../physics/names.js";
import { Physics } from "../physics/physics.js";
import { type MjcfFiles, readMjcf } from "./files.js";

/** A user's MJCF file: its files, and the elements of the compiled model. */
export interface MjcfModel {
  /** Path on disk. */
  readonly path: string;
  readonly files: MjcfFiles;
  readonly timestepS: number;
  has(kind: ElementKind, name: string): boolean;
  names(kind: ElementKind): readonly string[];
  body(name: string): BodyInfo;
  joint(name: string): JointInfo;
  friction(geom: string): number;
}

/** The episodes of a dataset are usually in few scenes. */
const MAX_CACHED = 4;

/** Reads models and caches those used last. */
export class MjcfLibrary {
  readonly #models = new Map<string, Promise<MjcfModel>>();
  readonly #cache: ModelCache | undefined;

  /** @param cache has compiled models from earlier processes */
  constructor(cache?: ModelCache) {
    this.#cache = cache;
  }

  model(path: string): Promise<MjcfModel> {
    const model = this.#models.get(path) ?? inspect(path, this.#cache);
    this.#models.delete(path);
    this.#models.set(path, model);
    // Failures are not cached: the file may be fixed meanwhile.
    model.catch(() => this.#models.delete(path));
    for (const oldest of [...this.#models.keys()].slice(0, -MAX_CACHED)) {
      this.#models.delete(oldest);
    }
    return model;
  }
}

async function inspect(path: string, cache: ModelCache | undefined): Promise<MjcfModel> {
  const files = await readMjcf(path);
  const physics = await Physics.create(
    { path: files.main },
    { files: files.files, where: path, cache },
  );
  try {
    const names = new Map(ELEMENT_KINDS.map((kind) => [kind, physics.names(kind)]));
    const inspector = physics.inspect();
    const read = <T>(kind: ElementKind, of: (inspector: ModelInspector, name: string) => T) => {
      const all = new Map((names.get(kind) ?? []).map((name) => [name, of(inspector, name)]));
      return (name: string): T => {
        const found = all.get(name);
        if (found !== undefined) return found;
        throw unknownElement(kind, name, [...all.keys()], path);
      };
    };
    return {
      path,
      files,
      timestepS: physics.timestepS,
      has: (kind, name) => names.get(kind)?.includes(name) ?? false,
      names: (kind) => names.get(kind) ?? [],
      body: read("body", (all, name) => all.body(name)),
      joint: read("joint", (all, name) => all.joint(name)),
      friction: read("geom", (all, name) => all.friction(name)),
    };
  } finally {
    physics.dispose();
  }
}

import type { ModelCache } from "../physics/model/cache.js";
import type { BodyInfo, JointInfo } from "../physics/model/inspect.js";
import { type ElementKind, unknownElement } from "../physics/names.js";
import { type MjcfFiles, readMjcf } from "./files.js";
import { inspectModel } from "./inspection.js";

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
  const { timestepS, names, bodies, joints, frictions } = await inspectModel(files, path, cache);
  const read = <T>(kind: ElementKind, all: Readonly<Record<string, T>>) => {
    const known = new Map(Object.entries(all));
    return (name: string): T => {
      const found = known.get(name);
      if (found !== undefined) return found;
      throw unknownElement(kind, name, names[kind], path);
    };
  };
  return {
    path,
    files,
    timestepS,
    has: (kind, name) => names[kind].includes(name),
    names: (kind) => names[kind],
    body: read("body", bodies),
    joint: read("joint", joints),
    friction: read("geom", frictions),
  };
}

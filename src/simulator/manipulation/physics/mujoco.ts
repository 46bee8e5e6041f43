import loadModule, { type MainModule } from "@mujoco/mujoco";
import { errorMessage } from "../../../core/errors.js";
import { DEFAULT_ENGINE, type Engine } from "./engine/names.js";
import { loadOlderEngine } from "./engine/older.js";

/** The official MuJoCo, compiled to WebAssembly. */
export type Mujoco = MainModule;

const loading = new Map<Engine, Promise<Mujoco>>();

/**
 * Loads MuJoCo once per thread: the single-threaded build, which is faster. Its output is discarded, because errors
 * arrive as exceptions and stdout belongs to the program.
 */
export function loadMujoco(engine: Engine = DEFAULT_ENGINE): Promise<Mujoco> {
  const known = loading.get(engine);
  if (known) return known;
  const loaded =
    engine === DEFAULT_ENGINE
      ? loadModule({ print: () => {}, printErr: () => {} })
      : loadOlderEngine();
  loading.set(engine, loaded);
  return loaded;
}

/**
 * Makes the next call of `loadMujoco` load MuJoCo again if the error is an abort or exhausted memory: the module
 * would fail for every later model, or keep its 2 GB.
 */
export function reloadAfter(error: unknown): void {
  const isTrap = error instanceof Error && error.name === "RuntimeError";
  if (isTrap || isOutOfMemory(error) || errorMessage(error).includes("abort()")) loading.clear();
}

export function isOutOfMemory(error: unknown): boolean {
  return /bad_alloc|allocate memory/.test(errorMessage(error));
}

import loadModule, { type MainModule } from "@mujoco/mujoco";
import { errorMessage } from "../../../core/errors.js";

/** The official MuJoCo, compiled to WebAssembly. */
export type Mujoco = MainModule;

let loading: Promise<Mujoco> | undefined;

/**
 * Loads MuJoCo once per thread: the single-threaded build, which is faster. Its output is discarded, because errors
 * arrive as exceptions and stdout belongs to the program.
 */
export function loadMujoco(): Promise<Mujoco> {
  loading ??= loadModule({ print: () => {}, printErr: () => {} });
  return loading;
}

/**
 * Makes the next call of `loadMujoco` load MuJoCo again if the error is an abort or exhausted memory: the module
 * would fail for every later model, or keep its 2 GB.
 */
export function reloadAfter(error: unknown): void {
  const isTrap = error instanceof Error && error.name === "RuntimeError";
  if (isTrap || isOutOfMemory(error) || errorMessage(error).includes("abort()"))
    loading = undefined;
}

export function isOutOfMemory(error: unknown): boolean {
  return /bad_alloc|allocate memory/.test(errorMessage(error));
}

import loadModule, { type MainModule } from "@mujoco/mujoco";

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

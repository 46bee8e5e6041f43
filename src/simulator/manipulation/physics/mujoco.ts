import loadModule, { type MainModule } from "@mujoco/mujoco";

/** The official MuJoCo, compiled to WebAssembly. */
export type Mujoco = MainModule;

let loading: Promise<Mujoco> | undefined;

/**
 * MuJoCo, loaded once a thread; threads share nothing. Its single-threaded build: the other one is slower.
 * What it would print is dropped: errors come as exceptions, and stdout is the program's.
 */
export function loadMujoco(): Promise<Mujoco> {
  loading ??= loadModule({ print: () => {}, printErr: () => {} });
  return loading;
}

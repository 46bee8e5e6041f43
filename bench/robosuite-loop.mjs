// Loops in other processes, such as robosuite's Lift in plain Python, for benchmarks that compare with them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PEER = fileURLToPath(new URL("robosuite_loop_peer.py", import.meta.url));

/** The action of a step; robosuite_loop_peer.py has the same. */
export const liftAction = (step) =>
  Array.from({ length: 7 }, (_, axis) => Math.sin(0.1 * step + axis) * 0.3);

export const robosuiteLoop = (python, env, cameras = []) => loopOf(python, [PEER, ...cameras], env);

/**
 * Starts a program that runs as many steps as a line of its standard input says. `block(count)` returns milliseconds per
 * step: of wall time, and of CPU time of all threads.
 */
export function loopOf(program, args, env) {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "close").then(() => {
    throw new Error(`${program} ${args[0]} exited unexpectedly`);
  });
  ended.catch(() => {});
  return {
    block: async (count) => {
      child.stdin.write(`${count}\n`);
      const [line] = await Promise.race([once(lines, "line"), ended]);
      const [wall, cpu] = line.split(" ").map(Number);
      return { wall, cpu };
    },
    close: () => child.stdin.end(),
  };
}

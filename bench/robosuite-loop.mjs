// robosuite's Lift in a plain Python loop in another process, for benchmarks that compare with it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PEER = fileURLToPath(new URL("robosuite_loop_peer.py", import.meta.url));

/** The action of a step; robosuite_loop_peer.py has the same. */
export const liftAction = (step) =>
  Array.from({ length: 7 }, (_, axis) => Math.sin(0.1 * step + axis) * 0.3);

/** `block(count)` runs so many steps and returns milliseconds per step. */
export function robosuiteLoop(python, env, cameras = []) {
  const child = spawn(python, [PEER, ...cameras], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "close").then(() => {
    throw new Error("the plain loop exited unexpectedly");
  });
  ended.catch(() => {});
  return {
    block: async (count) => {
      child.stdin.write(`${count}\n`);
      const [line] = await Promise.race([once(lines, "line"), ended]);
      return Number(line);
    },
    close: () => child.stdin.end(),
  };
}

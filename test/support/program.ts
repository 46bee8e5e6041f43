import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { afterEachFile } from "./clean-up.js";

const children = new Set<ChildProcess>();
afterEachFile(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a program in a folder, with the folder's `bin` first on the path. */
export function startProgram(
  [command = "", ...args]: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
) {
  const path = `${join(folder, "bin")}${delimiter}${process.env.PATH}`;
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, PATH: path, ...env },
  });
  children.add(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
    });
  }
  const done = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.on("close", (code) => {
      children.delete(child);
      resolve({ code, said });
    });
  });
  return { child, done, said: () => said };
}

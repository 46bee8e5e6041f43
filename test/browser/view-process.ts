import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterEachFile } from "../support/clean-up.js";
import { ROOT } from "../support/manipulation.js";

const children = new Set<ChildProcess>();
afterEachFile(() => {
  for (const child of children) child.kill("SIGKILL");
});

export interface ViewProcess {
  /** Address of the page, with a trailing slash. */
  readonly url: string;
  /** The internal errors that it wrote to stderr. */
  faults(): string;
  /** Sends SIGINT, as Ctrl-C does; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the built `robot-eval view` on a free port. */
export async function startView(runs: string): Promise<ViewProcess> {
  const main = join(ROOT, "dist/cli/main.js");
  const child = spawn(process.execPath, [main, "view", runs, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      children.delete(child);
      resolve(code);
    });
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
      const found = /"url":\s*"([^"]+)"/.exec(printed)?.[1];
      if (found) resolve(found);
    });
    child.on("close", (code) => reject(new Error(`view ended with ${code}:\n${said}`)));
  });
  return {
    url,
    faults: () =>
      said
        .split("\n")
        .filter((line) => line.startsWith("internal error"))
        .join("\n"),
    stop: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

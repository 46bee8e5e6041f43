import { spawn } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { killMarked, killTree, MARKER, markedProcesses } from "./process-tree.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

it.skipIf(process.platform === "win32")("killTree ends a process and its children", async () => {
  const shell = spawn("/bin/sh", ["-c", "sleep 600 & echo $!; wait"], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The pipe closes only after the shell and its child have both ended.
  const closed = new Promise((resolve) => shell.stdout.once("close", resolve));
  await new Promise((resolve) => shell.stdout.once("data", resolve));
  if (shell.pid !== undefined) killTree(shell.pid);
  await closed;
});

it.skipIf(process.platform === "win32")(
  "killTree calls taskkill for the process tree on Windows",
  () => {
    const folder = temporaryFolder();
    const command = join(folder, "taskkill");
    writeFileSync(command, `#!/bin/sh\necho "$@" > "${folder}/asked"\n`);
    chmodSync(command, 0o755);
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
    killTree(4242, "win32");
    expect(readFileSync(join(folder, "asked"), "utf8")).toBe("/pid 4242 /T /F\n");
  },
);

it("killTree ignores a process that has ended", async () => {
  const child = spawn(process.execPath, ["-e", ""], { detached: true });
  await new Promise((resolve) => child.once("close", resolve));
  expect(() => killTree(child.pid ?? 0)).not.toThrow();
});

it.skipIf(process.platform !== "linux")(
  "killMarked ends exactly the processes with the marker, in any process group",
  async () => {
    const start = (id: string) =>
      spawn("sleep", ["600"], { detached: true, env: { ...process.env, [MARKER]: id } });
    const [ours, others] = [start("ours"), start("ours too")];
    const signals = Promise.all(
      [ours, others].map(
        (child) => new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal))),
      ),
    );
    killMarked("ours");
    // Ends by this signal only if it was not killed before.
    others.kill("SIGTERM");
    expect(await signals).toEqual(["SIGKILL", "SIGTERM"]);
  },
);

it.skipIf(process.platform !== "linux")(
  "killMarked ends the processes that are started while it searches",
  async () => {
    const id = "forking";
    const fork = "(for i in $(seq 100); do sleep 600 & done; echo begun; wait) &";
    const script = `${fork} ${fork} ${fork} ${fork} wait`;
    const shell = spawn("/bin/sh", ["-c", script], {
      env: { ...process.env, [MARKER]: id },
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((resolve) => shell.stdout.once("data", resolve));
    killMarked(id);
    await expect.poll(() => markedProcesses(id), { timeout: 20_000 }).toEqual([]);
  },
);

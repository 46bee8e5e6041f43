import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { running } from "../../../test/support/point-benchmark.js";
import { MARKER, markedProcesses } from "./process-tree.js";

const SUPERVISOR = fileURLToPath(new URL("./supervisor.js", import.meta.url));

/** Starts a shell script under the supervisor and waits for its first line. */
async function supervised(script: string, id: string) {
  const child = spawn(process.execPath, [SUPERVISOR, "/bin/sh", "-c", script], {
    detached: true,
    env: { ...process.env, [MARKER]: id },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const line = await new Promise<string>((resolve) => {
    child.stdout.once("data", (data) => resolve(String(data)));
  });
  return { child, line };
}

/** A process in a session of its own that ignores SIGTERM. It writes its id and that of the simulator. */
const DAEMON = `setsid sh -c 'trap "" TERM; echo $$ $PPID; sleep 600' &`;

describe.skipIf(process.platform !== "linux")("the supervisor of a simulator", () => {
  it.each<[string, (supervisor: ChildProcess, simulator: number) => void]>([
    ["the evaluator ends", (supervisor) => supervisor.stdin?.end()],
    ["it is sent SIGTERM", (supervisor) => supervisor.kill("SIGTERM")],
    ["the simulator ends", (_, simulator) => process.kill(simulator, "SIGKILL")],
  ])(
    "the supervisor of a simulator kills a daemon that called setsid when %s",
    async (when, end) => {
      const { child, line } = await supervised(`${DAEMON} wait`, `daemon when ${when}`);
      const [daemon = 0, simulator = 0] = line.split(" ").map(Number);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      expect(running([daemon, simulator])).toEqual([daemon, simulator]);
      end(child, simulator);
      await ended;
      await expect.poll(() => running([daemon]), { timeout: 20_000 }).toEqual([]);
    },
  );

  it("the supervisor of a simulator kills the processes that a daemon starts while it is searched for", async () => {
    const id = "forking daemon";
    const forking = "echo begun; for i in $(seq 400); do sleep 600 & done; wait";
    const { child } = await supervised(`setsid sh -c '${forking}' & wait`, id);
    expect(markedProcesses(id).length).toBeGreaterThan(1);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    await expect.poll(() => markedProcesses(id), { timeout: 20_000 }).toEqual([]);
  });
});

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Environment variable that a simulator's processes inherit; its value is unique to one simulator. */
export const MARKER = "ROBOT_EVAL_SIM_ID";
/** Repeats the search, because processes may start others while it runs. */
const MOST_SEARCHES = 8;
/** While a process executes another program, its environment is empty for a moment. Two empty searches end the search. */
const EXEC_MS = 20;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/**
 * Kills a process and all its descendants. Except on Windows, it must lead a process group, which its
 * descendants share. On Windows, descendants can be found only while the process itself exists.
 */
export function killTree(pid: number, platform: NodeJS.Platform = process.platform): void {
  if (platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], {
      stdio: "ignore",
      windowsHide: true,
    });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/**
 * Kills the processes with the marker in their environment, which finds those that left their process group,
 * as daemons do. Only Linux allows an ordinary account to read the environment of its processes; elsewhere
 * this does nothing.
 */
export function killMarked(id: string): void {
  let wasEmpty = false;
  for (let search = 0; search < MOST_SEARCHES; search++) {
    const found = markedProcesses(id);
    if (found.length === 0 && wasEmpty) return;
    wasEmpty = found.length === 0;
    if (wasEmpty) Atomics.wait(PAUSE, 0, 0, EXEC_MS);
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has already ended.
      }
    }
  }
}

/** Ids of the processes that have the marker in their environment; none elsewhere than on Linux. */
export function markedProcesses(id: string): number[] {
  if (process.platform !== "linux") return [];
  const entry = `${MARKER}=${id}`;
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const variables = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      return variables.includes(entry) ? [Number(name)] : [];
    } catch {
      // The process belongs to another account or has ended.
      return [];
    }
  });
}

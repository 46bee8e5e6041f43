import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The unit of /proc on nearly all systems: 1/100 s. */
const TICK_MS = 10;

/**
 * CPU time of a PostgreSQL server with all of its processes, including those that have exited; NaN without /proc.
 */
export function serverCpuMs(dataDir) {
  try {
    const pid = readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    const [user, system, endedUser, endedSystem] = timesOf(pid);
    const living = children.map((child) => timesOf(child)).map(([own, kernel]) => own + kernel);
    const all = user + system + endedUser + endedSystem + living.reduce((sum, one) => sum + one, 0);
    return all * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** Fields 14 to 17 of proc(5); the second field may contain spaces, and ends with the last bracket. */
function timesOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map(Number);
  } catch {
    // It has exited in the meantime, and its parent includes its time.
    return [0, 0, 0, 0];
  }
}

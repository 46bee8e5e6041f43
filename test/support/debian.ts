import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Installs a Debian package if this is root and the shell command `present` fails. Test files run concurrently, so all
 * of them take the lock: a program is on the path before its package is configured.
 */
export function installIfMissing(name: string, present: string): void {
  if (process.getuid?.() !== 0) return;
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${name}`;
  const lock = join(tmpdir(), "robot-eval-apt.lock");
  const script = `exec 9>"${lock}"; flock 9; ${present} || (${install})`;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("sh", ["-c", script], { stdio: ["ignore", 2, 2], env });
}

import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEachFile } from "./clean-up.js";
import { temporaryFolder } from "./cli.js";

const disks: string[] = [];
// Runs before the folders of `temporaryFolder` are removed, as it was registered after them.
afterEachFile(() => {
  for (const disk of disks.splice(0)) execFileSync("umount", [disk]);
});

/** Mounts a file system of the given size in KiB; undefined if that is not permitted. */
export function makeDisk(kib: number): string | undefined {
  const disk = join(temporaryFolder(), "disk");
  mkdirSync(disk);
  try {
    const size = ["-o", `size=${kib}k`];
    execFileSync("mount", ["-t", "tmpfs", ...size, "tmpfs", disk], { stdio: "ignore" });
  } catch {
    rmSync(disk, { recursive: true });
    return undefined;
  }
  disks.push(disk);
  return disk;
}

export function enlarge(disk: string): void {
  execFileSync("mount", ["-o", "remount,size=64m", disk]);
}

/** Fills the file system. @returns a function that frees the space again */
export function fill(disk: string): () => void {
  const path = join(disk, "filler");
  const file = openSync(path, "w");
  for (let size = 2 ** 20; size >= 512; size /= 2) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch {
      // Smaller pieces may still fit.
    }
  }
  fsyncSync(file);
  closeSync(file);
  return () => rmSync(path);
}

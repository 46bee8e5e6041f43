// A scene like a scan: how long it takes to load, what memory it needs, how fast it renders, and whether memory stays
// flat over 20 such scenes in turn, as in a run over a split.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scanScene } from "./scan-scene.mjs";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
try {
  writeFileSync(join(folder, "scan.glb"), await scanScene());
  const worker = fileURLToPath(new URL("scene-load-worker.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [worker, folder], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

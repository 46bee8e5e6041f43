// Loading datasets: the published R2R-CE val_seen compared with Python's json and gzip, and a generated file of 1 GB
// of JSON, for which the bound is decompression.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mebibytes, row, skip } from "./measure.mjs";

const worker = fileURLToPath(new URL("load-worker.mjs", import.meta.url));
const peer = fileURLToPath(new URL("json_peer.py", import.meta.url));
const published = process.env.ROBOT_EVAL_SHARED_DATA;
const valSeen = join(published ?? "", "r2r_vlnce/v1-3/val_seen/val_seen.json.gz");

function inProcess(command, ...args) {
  const { stdout, status } = spawnSync(command, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed`);
  return JSON.parse(stdout);
}

console.log("loading R2R_VLNCE v1-3 val_seen with its ground truth");
if (!published) {
  skip("val_seen", "set ROBOT_EVAL_SHARED_DATA to the folder of published data");
} else if (!existsSync(valSeen)) {
  skip("val_seen", `${valSeen} is missing`);
} else {
  const ours = inProcess(process.execPath, worker, "repeat", valSeen);
  row("robot-eval: stream, validate, build episodes (best of 20)", `${ours.ms.toFixed(0)} ms`);
  const gt = valSeen.replace(".json.gz", "_gt.json.gz");
  const python = inProcess("python3", peer, valSeen, gt);
  row(
    "Python: json.load(gzip.open(...)), no validation (best of 20)",
    `${python.ms.toFixed(0)} ms`,
  );
  row("ratio (goal: at least 1)", `${(python.ms / ours.ms).toFixed(2)}x`);
}

const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
try {
  const path = join(folder, "large.json.gz");
  console.log("loading a generated file of 1 GB of JSON, gzipped");
  const { bytes, episodes } = inProcess(process.execPath, worker, "make", path);
  const bound = inProcess(process.execPath, worker, "unpack", path);
  const all = inProcess(process.execPath, worker, "stream", path);
  const some = inProcess(process.execPath, worker, "limit", path);
  row(`${episodes} episodes, ${mebibytes(bytes)} of JSON, packed`, mebibytes(statSync(path).size));
  row("rate", `${(bytes / 2 ** 20 / (all.ms / 1000)).toFixed(0)} MiB/s`);
  row("share of the bound (decompression only)", `${((100 * bound.ms) / all.ms).toFixed(0)} %`);
  row("peak memory, episodes not kept", mebibytes(all.peakBytes));
  row("first 100 episodes only", `${some.ms.toFixed(0)} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

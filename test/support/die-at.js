// Loaded before the command (`--import`). Kills the process at the DIE_AT-th disk write below DIE_BELOW. A write of data
// counts twice: before it, and after half of its bytes. With DIE_AT=0 it prints the number of writes on stderr at exit.
import fs, { promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";
import { isMainThread } from "node:worker_threads";

const folder = resolve(process.env.DIE_BELOW ?? ".") + sep;
const last = Number(process.env.DIE_AT ?? "0");
let changes = 0;

const isWatched = (path) => resolve(String(path)).startsWith(folder);

function change(breakIt = () => {}) {
  if (++changes !== last) return;
  breakIt();
  process.kill(process.pid, "SIGKILL");
}

const half = (data) => Buffer.from(data).subarray(0, Math.ceil(Buffer.byteLength(data) / 2));

/** Counts the calls of `owner[name]` for which `isOne` is true. */
function watch(owner, name, isOne, halfway) {
  const call = owner[name];
  owner[name] = function (...args) {
    if (isOne(this, ...args)) {
      change();
      if (halfway) change(() => halfway(this, ...args));
    }
    return call.apply(this, args);
  };
}

if (isMainThread) {
  const onPath = (_, path) => isWatched(path);
  const append = fs.appendFileSync;
  const halfFile = (_, path, data) => append(path, half(data));
  for (const name of ["rename", "rm", "rmdir", "mkdir", "unlink"]) watch(promises, name, onPath);
  watch(promises, "appendFile", onPath, halfFile);
  watch(fs, "rmSync", onPath);
  const below = new Set();
  const openSync = fs.openSync;
  fs.openSync = (path, flags = "r", ...rest) => {
    if (flags !== "r" && isWatched(path)) change();
    const fd = openSync(path, flags, ...rest);
    if (isWatched(path)) below.add(fd);
    else below.delete(fd);
    return fd;
  };
  const onFile = (_, file) => (typeof file === "number" ? below.has(file) : isWatched(file));
  const halfData = (_, file, data) => append(file, half(data));
  watch(fs, "renameSync", onPath);
  watch(fs, "writeFileSync", onFile, halfData);
  watch(fs, "appendFileSync", onFile, halfData);
  const opened = new WeakSet();
  watch(promises, "open", (_, path, flags = "r") => flags !== "r" && isWatched(path));
  const open = promises.open;
  promises.open = async (path, flags, ...rest) => {
    const handle = await open(path, flags, ...rest);
    if (isWatched(path)) {
      opened.add(handle);
      below.add(handle.fd);
    } else below.delete(handle.fd);
    return handle;
  };
  const handle = await open(import.meta.filename, "r");
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const ours = (file) => opened.has(file);
  const halfWrite = ({ fd }, data) => fs.writeSync(fd, half(data));
  // On a file handle, appendFile is the same as writeFile.
  watch(prototype, "writeFile", ours, halfWrite);
  prototype.appendFile = prototype.writeFile;
  watch(prototype, "truncate", ours);
  syncBuiltinESMExports();
  if (last === 0) process.on("exit", () => fs.writeSync(2, `changes: ${changes}\n`));
}

// Adds platform packages that a registry mirror does not have to package-lock.json. Run it after `npm install`.
//
// A tool with binaries lists one package per platform as an optional dependency. With a mirror that has only some
// platforms, `npm install` omits the others from the lock file, and `npm ci` then rejects it as out of sync. The
// missing entries can be derived from the package names. npm never downloads packages of other platforms.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OS = "aix android darwin freebsd linux netbsd openbsd openharmony sunos win32".split(" ");
const CPU = "arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64".split(" ");
const LIBC = { musl: "musl", musleabihf: "musl", gnu: "glibc", gnueabihf: "glibc" };

const file = fileURLToPath(new URL("../package-lock.json", import.meta.url));
const lock = JSON.parse(readFileSync(file, "utf8"));
const { packages } = lock;
const added = [];
for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(owner, name)) continue;
    const words = name.split("/").at(-1).split("-");
    const libc = words.map((word) => LIBC[word]).find(Boolean);
    packages[`node_modules/${name}`] = {
      version: version.replace(/^[~^]/, ""),
      ...only(
        "cpu",
        words.find((word) => CPU.includes(word)),
      ),
      ...(dev ? { dev } : {}),
      ...only("libc", words.includes("linux") ? libc : undefined),
      optional: true,
      ...only(
        "os",
        words.find((word) => OS.includes(word)),
      ),
    };
    added.push(name);
  }
}
const { "": root, ...rest } = packages;
const sorted = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = { "": root, ...Object.fromEntries(sorted) };
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} platform packages added to package-lock.json`);

/** Whether Node would find the package: next to its owner, or in a node_modules folder above. */
function isLocked(owner, name) {
  for (let at = owner; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    if (`${at === "" ? "" : `${at}/`}node_modules/${name}` in packages) return true;
    if (at === "") return false;
  }
}

function only(key, value) {
  return value === undefined ? {} : { [key]: [value] };
}

// Compiles src/ to build/, bundles that into dist/, builds web/ into dist/web/, and marks the command executable.
// build/ has the unbundled modules of src/, for scripts and benchmarks; it is not published.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

for (const folder of ["build", "dist"])
  rmSync(join(root, folder), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], {
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
await bundle(root);
const { allTextures } = await import("../build/simulator/scenes/apartment/textures/all.js");
for (const [name, { data }] of allTextures()) {
  const file = join(root, "dist", "textures", `${name}.rgba`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, data);
}
copyTranscoder();
const vite = join(dirname(require.resolve("vite/package.json")), "bin", "vite.js");
const web = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn", join(root, "web")], {
  stdio: "inherit",
});
if (web.status !== 0) process.exit(web.status ?? 1);
chmodSync(join(root, "dist", "cli", "main.js"), 0o755);

/** The Basis Universal transcoder, which the package `three` contains: the rest of `three` is not needed. */
function copyTranscoder() {
  const folder = join(root, "dist", "basis");
  mkdirSync(folder, { recursive: true });
  const three = join(root, "node_modules", "three", "examples", "jsm", "libs", "basis");
  for (const name of ["basis_transcoder.js", "basis_transcoder.wasm"]) {
    copyFileSync(join(three, name), join(folder, name));
  }
  const { version } = JSON.parse(
    readFileSync(join(root, "node_modules", "three", "package.json"), "utf8"),
  );
  writeFileSync(
    join(folder, "NOTICE.txt"),
    `Basis Universal transcoder, Copyright Binomial LLC, https://github.com/BinomialLLC/basis_universal
Licensed under the Apache License, Version 2.0; its text is in the file LICENSE of this package.
Unchanged copies of basis_transcoder.js and basis_transcoder.wasm of three ${version}, examples/jsm/libs/basis.
`,
  );
}

// Bundles the modules in build/ into dist/. The command and all entry points of the package share chunks, so that a
// plugin that imports robot-eval gets the same classes as the command that loads it.
import { copyFileSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { build } from "esbuild";

/** Entry points of worker threads, processes and module hooks, which Node loads by path. */
const PROGRAMS = [
  "dataset/reader/reader-main.js",
  "evaluator/execute/worker-main.js",
  "server/challenge/evaluation/evaluate-main.js",
  "server/view/heavy-main.js",
  "registry/plugin-hooks.js",
  "simulator/remote/supervisor.js",
];

/**
 * Dependencies that are bundled: `zod` and `yaml` consist of about a hundred small files each, and `commander`, which
 * every command loads, of CommonJS modules, which load slowly from ES modules. The value is the entry file if it is not
 * the one that Node would choose: `yaml` has ES modules for browsers, which esbuild can tree-shake, and CommonJS for
 * Node.
 */
const INLINED = { commander: undefined, zod: undefined, yaml: "browser/index.js" };

export async function bundle(root) {
  const { bin, exports, dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const published = Object.values(exports).flatMap(({ default: path }) => path ?? []);
  const entries = [...Object.values(bin), ...published].map((path) => path.replace("./dist/", ""));
  const modules = join(root, "build");
  const packages = Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
  });
  await build({
    entryPoints: [...entries, ...PROGRAMS].map((path) => join(modules, path)),
    outbase: modules,
    outdir: join(root, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    chunkNames: "chunks/[name]-[hash]",
    sourcemap: true,
    external: packages.filter((name) => !Object.hasOwn(INLINED, name)),
    alias: Object.fromEntries(
      Object.entries(INLINED).flatMap(([name, file]) =>
        file === undefined ? [] : [[name, join(root, "node_modules", name, file)]],
      ),
    ),
    plugins: [transformModules(modules), requireBuiltins],
    logLevel: "warning",
  });
  for (const name of Object.keys(INLINED)) {
    const license = join(root, "node_modules", name, "LICENSE");
    copyFileSync(license, join(root, "dist", "chunks", `LICENSE-${name}`));
  }
}

/**
 * Lets bundled CommonJS modules load Node's own, for which ES modules have no `require`. `child_process` is loaded at its
 * first use, because commander needs it for programs as subcommands only, and robot-eval has none.
 */
const requireBuiltins = {
  name: "require-builtins",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === "require-call" ? { path, namespace: "builtin" } : undefined,
    );
    onLoad({ filter: /^/, namespace: "builtin" }, ({ path }) => {
      const module = `process.getBuiltinModule("${path}")`;
      const isLate = path === "node:child_process";
      return {
        contents: isLate
          ? `exports.spawn = (...args) => ${module}.spawn(...args);`
          : `module.exports = ${module};`,
      };
    });
  },
};

/** Adapts a module of `build/` to a bundle: its URL and its namespace imports. */
function transformModules(modules) {
  return {
    name: "transform-modules",
    setup({ initialOptions, onLoad, onResolve }) {
      // The package re-exports `z` whole, for plugins. Bundled, it would keep all of zod in the chunk of the commands.
      onResolve({ filter: /^zod$/ }, ({ importer, path }) =>
        importer === join(modules, "index.js") ? { path, external: true } : undefined,
      );
      initialOptions.define = { "import.meta.url": "moduleUrl" };
      // A banner is not subject to `define`.
      initialOptions.banner = {
        js: 'const distUrl = import.meta.url.replace(/(.*\\/dist\\/).*/, "$1");',
      };
      onLoad({ filter: /\.js$/ }, async ({ path }) => {
        if (!path.startsWith(modules)) return undefined;
        const code = await readFile(path, "utf8");
        const contents = keepModuleUrl(importNamespace(code), relative(modules, path));
        return contents === code ? undefined : { contents, loader: "js" };
      });
    },
  };
}

/** As a namespace, esbuild keeps the parts of zod that are used; as one object, all of it, with 50 languages. */
function importNamespace(code) {
  return code.replace('import { z } from "zod";', 'import * as z from "zod";');
}

/**
 * Gives a module the address that it has without bundling, by which it finds files of the package:
 * `import.meta.url` becomes `moduleUrl`, made from the address of the bundled file.
 */
function keepModuleUrl(code, path) {
  if (!code.includes("import.meta.url")) return code;
  const own = JSON.stringify(path.split(sep).join("/"));
  // On the first line, so that the source map's line numbers stay correct.
  return `const moduleUrl = /* @__PURE__ */ new URL(${own}, distUrl).href; ${code}`;
}

/** The folders of src/, from low to high. A folder imports itself and the rows above its own. */
export const LAYERS: readonly (readonly string[])[] = [
  ["core"],
  ["stats", "robots", "config"],
  ["tasks", "metrics", "dataset", "simulator", "perturb", "api"],
  ["agents"],
  ["registry"],
  ["runs"],
  ["evaluator"],
  ["cluster", "server", "compat", "generate"],
  ["cli", "index.ts"],
];

/** Additional imports allowed per folder, with the reason. */
export const EXCEPTIONS: readonly { folder: string; imports: string; reason: string }[] = [
  { folder: "simulator/remote", imports: "api", reason: "it talks to a simulator over a socket" },
  { folder: "server", imports: "cluster", reason: "challenges evaluate on a cluster" },
];

/** core is pure: files, clocks and randomness are passed in. */
export const CORE = {
  packages: ["zod"],
  globals: ["process", "Date", "performance", "setTimeout", "setInterval", "fetch", "crypto"],
  calls: ["Math.random"],
};

/** web/ gets everything over HTTP, so it shares only the types of the documents. */
export const WEB_TYPES: readonly string[] = [
  "src/server/view/documents.js",
  "src/runs/compare/documents.js",
  "src/runs/stress/documents.js",
  "src/core/interfaces/result.js",
];

/** Folders whose subfolders must not import each other in cycles. */
export const ACYCLIC: readonly string[] = ["src/simulator"];

import { dirname, resolve } from "node:path";
import type { z } from "zod";
import { validateBenchmark } from "./benchmark.js";
import { BadConfigError, type ConfigIssue, check, type Finding, valueAt } from "./issues.js";
import { findBenchmark } from "./named.js";
import { readText } from "./read.js";
import type { BenchmarkConfig, ConfigDocument } from "./schema.js";
import { type Assignment, applyAssignments, parseAssignment } from "./set.js";
import { type ConfigPath, YamlSource } from "./source.js";

/** A benchmark file that was read and validated. */
export interface LoadedConfig {
  readonly config: BenchmarkConfig;
  /** The content as given, after `--set`, without defaults. */
  readonly document: ConfigDocument;
  /** The file's unchanged text. */
  readonly text: string;
  /** The `--set` arguments as given. */
  readonly set: readonly string[];
  /** The file as the user named it. */
  readonly file: string;
  /** Absolute folder of the file; see `resolvePath`. */
  readonly baseDir: string;
  /**
   * Set for a benchmark from an untrusted source: the folder that contains it. Scene ids must stay below the folder
   * of scenes, and scenes in this folder must not refer to files outside of it.
   */
  readonly within?: string | undefined;
  /**
   * Set for the benchmark of a run, which was checked when the run started. Checks that reject what an earlier version
   * accepted are left out, so that its runs stay readable. `early`: by a version that did not complete goals.
   */
  readonly recorded?: "early" | "current" | undefined;
  /** `file:line:column` of a value (or its key), or `--set path` if it came from there. */
  locate(path: ConfigPath, at?: "key" | "value"): string;
  /** Builds an error about values of this file, for checks that need a registry. */
  error(findings: readonly Finding[]): BadConfigError;
}

export interface LoadOptions {
  /** `path=value` each, applied in order before validation. */
  readonly set?: readonly string[];
  /** Leaves out wrong values and unknown keys, to look for further problems in the rest of the file. */
  readonly omitsWrong?: boolean;
}

export interface ParseOptions extends LoadOptions {
  /** Name for errors, and the base of relative paths. */
  readonly file?: string;
  /** Base of relative paths if the text does not come from a file in its own folder. */
  readonly baseDir?: string;
  /** See `LoadedConfig`. */
  readonly within?: string | undefined;
  readonly recorded?: "early" | "current" | undefined;
}

/** What `reloadConfig` needs; a worker thread gets it from the main thread. */
type CheckedDocument = Pick<
  LoadedConfig,
  "document" | "text" | "file" | "baseDir" | "within" | "recorded"
>;

/**
 * Reads a benchmark, given by its file or by the name of a shipped one (`vln_challenge`).
 *
 * @throws ConfigError with the locations of all problems
 * @example
 * const { config } = loadConfig("vln_challenge", { set: ["evaluation.max_steps=100"] });
 * config.tasks.map(({ name }) => name); // ["vln"]
 */
export function loadConfig(benchmark: string, options: LoadOptions = {}): LoadedConfig {
  const { file } = findBenchmark(benchmark);
  return parseConfig(readText(file), { ...options, file });
}

/**
 * Like `loadConfig`, from a text.
 *
 * @example
 * import { readFileSync } from "node:fs";
 * const { config } = parseConfig(readFileSync("mine.yaml", "utf8"), { file: "mine.yaml" });
 */
export function parseConfig(text: string, options: ParseOptions = {}): LoadedConfig {
  const { file = "benchmark.yaml", set = [] } = options;
  const assignments = set.map(parseAssignment);
  const source = new YamlSource(text, file);
  let document = applyAssignments(source.toMapping(), assignments);
  let result = validateBenchmark(document);
  if ("findings" in result && options.omitsWrong) {
    document = without(document, result.findings);
    result = validateBenchmark(document);
  }
  const origins = new Origins(source, assignments);
  if ("findings" in result) throw origins.error(result.findings);
  return {
    config: result.config,
    document,
    text,
    set,
    file,
    baseDir: options.baseDir ?? dirname(resolve(file)),
    within: options.within,
    recorded: options.recorded,
    locate: (path, at) => origins.of(path, at).where,
    error: (findings) => origins.error(findings),
  };
}

/** Like `parseConfig`, of a document that was checked before. Its text is parsed only to locate errors. */
export function reloadConfig({ document, text, file, ...rest }: CheckedDocument): LoadedConfig {
  let origins: Origins | undefined;
  const found = () => {
    origins ??= new Origins(new YamlSource(text, file), []);
    return origins;
  };
  const result = validateBenchmark(document);
  if ("findings" in result) throw found().error(result.findings);
  return {
    ...{ config: result.config, document, text, set: [], file, ...rest },
    locate: (path, at) => found().of(path, at).where,
    error: (findings) => found().error(findings),
  };
}

/**
 * Checks a part of a benchmark against its owner's schema, such as a task's for `["vln_task", "config"]`. Reports
 * problems like the rest of the file.
 *
 * @param value the part, if it differs from the file's
 */
export function checkSection<T>(
  loaded: LoadedConfig,
  path: ConfigPath,
  schema: z.ZodType<T>,
  value: unknown = valueAt(loaded.document, path) ?? {},
): T {
  const result = check(schema, value, { base: path });
  if ("data" in result) return result.data;
  throw loaded.error(result.findings);
}

function without(document: ConfigDocument, findings: readonly Finding[]): ConfigDocument {
  const rest = structuredClone(document);
  for (const { path } of findings) {
    const parent = valueAt(rest, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof parent === "object" && parent !== null && key !== undefined) {
      Reflect.deleteProperty(parent, key);
    }
  }
  return rest;
}

/** Finds the origin of a value in the document: a line of the file or a `--set`. */
export class Origins {
  constructor(
    readonly source: YamlSource,
    readonly assignments: readonly Assignment[],
  ) {}

  of(path: ConfigPath, at?: "key" | "value"): { readonly where: string; readonly order: number } {
    const set =
      this.assignments.findLast((a) => startsWith(path, a.path)) ??
      this.#creator(path) ??
      this.#creator(path.slice(0, -1));
    if (set) return { where: set.where, order: Number.POSITIVE_INFINITY };
    return { where: this.source.locate(path, at), order: this.source.offset(path, at) };
  }

  error(findings: readonly Finding[]): BadConfigError {
    const placed = findings.map((finding) => ({ finding, ...this.of(finding.path, finding.at) }));
    placed.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order));
    const [first, ...rest] = placed.map(({ finding, where }) => issue(finding, where));
    if (!first) throw new TypeError("an error needs at least one issue");
    return new BadConfigError([first, ...rest]);
  }

  /** The assignment that created a mapping or list that the file does not have. */
  #creator(path: ConfigPath): Assignment | undefined {
    if (this.source.has(path)) return undefined;
    return this.assignments.findLast((a) => startsWith(a.path, path));
  }
}

function startsWith(path: ConfigPath, beginning: ConfigPath): boolean {
  return (
    beginning.length <= path.length &&
    beginning.every((step, i) => String(step) === String(path[i]))
  );
}

function issue(finding: Finding, where: string): ConfigIssue {
  const { path, problem, hint } = finding;
  const name = path.join(".");
  // Avoid repeating the path: `--set a.b: a.b: ...`.
  const message = name === "" || where === `--set ${name}` ? problem : `${name}: ${problem}`;
  return { path, where, message, hint };
}

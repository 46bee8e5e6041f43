import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { ConfigError } from "../core/errors.js";
import { suggestion } from "../core/registry.js";
import { PACKAGE_ROOT } from "./package-root.js";

const FOLDER = join(PACKAGE_ROOT, "configs", "benchmarks");
const YAML = /\.ya?ml$/;

/** The file of a benchmark that the user named. */
export interface FoundBenchmark {
  readonly file: string;
  /** Explains the choice if the name also matches a file or folder. */
  readonly note?: string;
}

export function benchmarkNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => YAML.test(file))
    .map((file) => file.replace(YAML, ""))
    .sort();
}

/**
 * Finds the file of a benchmark given by name or by path. The name of a shipped benchmark takes precedence in every
 * folder; write `./name` for a file or folder of the same name. Any other word is a path.
 *
 * @param path the word as a path, if paths are not relative to the working directory
 * @throws ConfigError `unknown_benchmark` for a word that is neither a name nor a path
 */
export function findBenchmark(word: string, path: string = word): FoundBenchmark {
  if (!isWord(word)) return { file: path };
  const names = benchmarkNames();
  if (names.includes(word)) {
    const file = join(FOLDER, `${word}.yaml`);
    if (!existsSync(path)) return { file };
    return {
      file,
      note: `"${word}" is the name of a benchmark that comes with robot-eval; for the file or folder of that name, write ./${word}`,
    };
  }
  if (existsSync(path)) return { file: path };
  throw new ConfigError("unknown_benchmark", `unknown benchmark "${word}"`, {
    hint: `${suggestion(word, names)}; or the path of a YAML file`,
  });
}

/** Hint for a path that does not exist, if the package has a benchmark of that name. */
export function nameHint(path: string): string | undefined {
  const name = basename(path).replace(YAML, "");
  return benchmarkNames().includes(name)
    ? `a benchmark of this name comes with robot-eval: write ${name}`
    : undefined;
}

/** True for text without folder and extension, which is not a path. */
function isWord(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

import { findBenchmark } from "../config/named.js";
import { say } from "./output.js";

/** What the help says of an argument that names a benchmark. */
export const BENCHMARK_HELP = "a name of `robot-eval list benchmarks`, or a YAML file";

/** The file of a benchmark that the command line names. An ambiguous word is resolved by rule, and said. */
export function benchmarkFile(word: string): string {
  const { file, note } = findBenchmark(word);
  if (note) say(`note: ${note}`);
  return file;
}

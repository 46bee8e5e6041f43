import { findBenchmark } from "../config/named.js";
import { say } from "./output.js";

/** Help text of an argument that names a benchmark. */
export const BENCHMARK_HELP = "a name of `robot-eval list benchmarks`, or a YAML file";

/** The file of a benchmark that the command line names. How an ambiguous name was resolved is printed. */
export function benchmarkFile(word: string): string {
  const { file, note } = findBenchmark(word);
  if (note) say(`note: ${note}`);
  return file;
}

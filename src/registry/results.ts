import type { Registry } from "../core/registry.js";
import type { ResultsFormat } from "../dataset/results/format.js";
import { habitatStats } from "../dataset/results/habitat-stats.js";
import { lerobotEval } from "../dataset/results/lerobot-eval.js";
import { table } from "../dataset/results/table.js";
import { vlaEval } from "../dataset/results/vla-eval.js";

export function registerResults(results: Registry<ResultsFormat>): void {
  for (const format of [habitatStats, vlaEval, lerobotEval, table]) {
    results.register(format.name, format);
  }
}

import { loadConfig } from "../../config/load.js";
import { parseAssignment } from "../../config/set.js";
import { isRecord } from "../../core/record.js";
import { createRegistries } from "../../registry/registries.js";
import { isPlace } from "../../runs/places.js";
import { prepareRun, type RunPlan } from "../prepare.js";
import type { Checked } from "./documents.js";

/**
 * What the run would have been, had it been begun here with a benchmark of one's own. The settings that the run
 * was begun with count (`--set`, `--limit`, ...), but not those that say where data and code are: these
 * are the file's own, whatever a bundle would have one read.
 */
export async function ownPlan(
  { run, info }: Checked,
  benchmark: string | undefined,
): Promise<RunPlan | undefined> {
  if (benchmark === undefined) return undefined;
  const set = (info.benchmark.set ?? []).filter((text) => !movesPlaces(text));
  return prepareRun(loadConfig(benchmark, { set }), {
    registries: createRegistries(),
    // Nobody acts; a policy server need not be there.
    agent: `replay:${run.path}`,
    seed: info.seed,
    ...info.selection,
  });
}

function movesPlaces(text: string): boolean {
  const { path, value } = parseAssignment(text);
  return path.some((key) => isPlace(String(key))) || hasPlaces(value);
}

function hasPlaces(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPlaces);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([key, inner]) => isPlace(key) || hasPlaces(inner));
}

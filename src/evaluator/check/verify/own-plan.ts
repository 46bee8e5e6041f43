import { loadConfig } from "../../../config/load.js";
import { createRegistries } from "../../../registry/registries.js";
import { prepareRun, type RunPlan } from "../../plan/prepare.js";
import type { Checked, OwnSelection } from "./documents.js";

/**
 * The plan that the run should have had: the checker's benchmark, settings and selection. Nothing from the run
 * enters, since the maker of a bundle could have kept only the successful episodes.
 */
export async function ownPlan(
  { run }: Checked,
  benchmark: string | undefined,
  { set = [], ...selection }: OwnSelection,
): Promise<RunPlan | undefined> {
  if (benchmark === undefined) return undefined;
  return prepareRun(loadConfig(benchmark, { set }), {
    registries: createRegistries(),
    // No agent acts, so no policy server is needed.
    agent: `replay:${run.path}`,
    ...selection,
  });
}

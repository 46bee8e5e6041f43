import { sharedData } from "../shared-data.js";
import { makeWorld } from "./cli.js";

/** Writes a VLN benchmark on published data, in a test or hook of `describeWithSharedData`; returns its path. */
export function publishedBenchmark(
  profile: string,
  dataPath: string,
  connectivity: string,
): string {
  return makeWorld().write(
    "published.yaml",
    `benchmark: {name: ${profile}}
vln_task: {type: vln, config: {profile: ${profile}}}
dataset:
  vln:
    type: vln
    data_path: ${JSON.stringify(sharedData(dataPath))}
    connectivity: ${JSON.stringify(sharedData(connectivity))}
`,
  );
}

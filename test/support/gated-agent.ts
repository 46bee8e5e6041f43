import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./cli.js";

/** Takes the shortest path, and begins as many episodes as the file `allowed` says. */
const PLUGIN = `
import { readFileSync } from "node:fs";
const allowed = () => Number(readFileSync(new URL("allowed", import.meta.url), "utf8"));
let begun = 0;
export default ({ agents }) => {
  const shortest = agents.get("shortest-path");
  agents.register("gated", {
    ...shortest,
    create: (options) => {
      const agent = shortest.create(options);
      return {
        async reset(episode) {
          while (!(begun < allowed())) await new Promise((done) => setTimeout(done, 20));
          begun++;
          return agent.reset(episode);
        },
        act: (observation) => agent.act(observation),
      };
    },
  });
};
`;

export interface GatedAgent {
  /** Arguments of `run`. */
  readonly flags: readonly string[];
  /** Lets the run begin this many episodes in total. */
  allow(episodes: number): void;
}

/** An agent that holds a run of one worker at an episode of the test's choice. */
export function gatedAgent(): GatedAgent {
  const folder = temporaryFolder();
  const plugin = join(folder, "plugin.mjs");
  writeFileSync(plugin, PLUGIN);
  const allow = (episodes: number) => writeFileSync(join(folder, "allowed"), String(episodes));
  allow(0);
  const flags = ["--agent", "gated", "--workers", "1", "--set", `plugins=[${plugin}]`];
  return { flags, allow };
}

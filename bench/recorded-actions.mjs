// A plugin with an agent that replays recorded actions at no cost: `recorded:<file>`, where the file has lists of
// actions by episode id. So a benchmark measures the platform and not a policy.
import { readFileSync } from "node:fs";

export default ({ agents }) => {
  agents.register("recorded", {
    description: "replays recorded actions, for benchmarks",
    create({ argument }) {
      const byEpisode = JSON.parse(readFileSync(argument, "utf8"));
      let [actions, step] = [[], 0];
      return {
        reset({ episodeId }) {
          actions = byEpisode[episodeId];
          step = 0;
        },
        act: () => actions[Math.min(step++, actions.length - 1)],
      };
    },
  });
};

// A plugin with an agent that does what was recorded and thinks of nothing: `recited:<file>`, where the file holds
// lists of actions by episode id. What is measured around it is the platform and not a policy.
import { readFileSync } from "node:fs";

export default ({ agents }) => {
  agents.register("recited", {
    description: "of the benchmark",
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

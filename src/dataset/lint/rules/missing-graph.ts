import { isContinuous, keyOf } from "../geometry.js";
import type { LintRule, Severity } from "../types.js";

interface Missing {
  readonly episode: string;
  readonly problem: string;
  readonly severity: Severity;
  count: number;
}

/** Finds scenes whose graph is missing from the given folder or damaged. */
export function missingGraph(): LintRule {
  const scenes = new Map<string, Missing>();
  return {
    code: "missing_graph",
    severity: "error",
    why: "episodes on a graph cannot be run or scored without it; those of a continuous scene were not checked against it",
    observe(episode, { graphProblem, format }) {
      // Manipulation scenes have no graph.
      if (graphProblem === undefined || !episode.startState.position) return;
      const known = scenes.get(episode.sceneId);
      if (known) known.count++;
      else {
        scenes.set(episode.sceneId, {
          episode: keyOf(episode),
          problem: graphProblem,
          severity: isContinuous(format) ? "info" : "error",
          count: 1,
        });
      }
    },
    *finish() {
      for (const [scene, { episode, problem, severity, count }] of scenes) {
        const episodes = count === 1 ? "episode" : "episodes";
        yield {
          episode,
          field: "scene_id",
          value: scene,
          message: `${problem} (${count} ${episodes})`,
          severity,
        };
      }
    },
  };
}

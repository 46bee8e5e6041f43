import { BaseEpisode, type EpisodeInit } from "../../src/core/episode/base.js";
import { NavGraph } from "../../src/core/scene/graph.js";
import type { LintContext, LintRule, Problem } from "../../src/dataset/lint/types.js";

/** An episode without findings: 4 m straight ahead. */
export function soundEpisode(changes: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: "1",
    taskType: "vln",
    sceneId: "mp3d/hall/hall.glb",
    startState: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
    goals: { position: [0, 0, -4], radius: 3 },
    instruction: { text: "Walk down the hall and stop." },
    referenceData: {
      path: [
        [0, 0, 0],
        [0, 0, -2],
        [0, 0, -4],
      ],
    },
    taskConfig: { geodesic_distance: 4 },
    ...changes,
  });
}

/**
 * Two disconnected areas, in metres:
 *
 *     a (0, 0) -- b (0, -4)          x (9, 0)
 */
export const PARTED = new NavGraph(
  "hall",
  [
    { id: "a", position: [0, 0, 0] },
    { id: "b", position: [0, 0, -4] },
    { id: "x", position: [9, 0, 0] },
  ],
  [[0, 1]],
);

/** The findings of a rule for each of these episodes and at the end. */
export function problemsOf(
  rule: LintRule,
  episodes: BaseEpisode | readonly BaseEpisode[],
  context: Partial<LintContext> = {},
): Problem[] {
  const dataset = { path: "val.json", format: { name: "r2r-vlnce", profile: "vlnce" } };
  const problems: Problem[] = [];
  const list: readonly BaseEpisode[] = Array.isArray(episodes) ? episodes : [episodes];
  list.forEach((episode, i) => {
    const here = { ...dataset, number: i + 1, ...context };
    rule.observe?.(episode, here);
    problems.push(...(rule.check?.(episode, here) ?? []));
  });
  problems.push(...(rule.finish?.({ ...dataset, ...context }) ?? []));
  return problems;
}

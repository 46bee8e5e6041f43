import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";

const FIELDS = {
  task: (_: BaseEpisode, task: string) => task,
  type: (episode: BaseEpisode) => episode.taskType,
  scene: (episode: BaseEpisode) => episode.sceneId,
  id: (episode: BaseEpisode) => episode.episodeId,
  instruction: (episode: BaseEpisode) => episode.instruction.text ?? "",
} as const;

/**
 * Parses a filter such as `scene=apartment/*,id=3|7`. Each field must match one of its patterns; `*` matches
 * anything. A comma means and, a bar means or.
 */
export function parseFilter(expression: string): (episode: BaseEpisode, task: string) => boolean {
  const conditions = expression.split(",").map((part) => {
    const [field = "", patterns, ...more] = part.split("=").map((text) => text.trim());
    if (patterns === undefined || more.length > 0 || !isField(field)) {
      throw new ConfigError("bad_filter", `"${part}" is not a filter`, {
        where: "--filter",
        hint: `write field=pattern; ${suggestion(field, Object.keys(FIELDS))}`,
      });
    }
    const match = patterns.split("|").map(toRegExp);
    return (episode: BaseEpisode, task: string) =>
      match.some((regExp) => regExp.test(FIELDS[field](episode, task)));
  });
  return (episode, task) => conditions.every((holds) => holds(episode, task));
}

function isField(name: string): name is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, name);
}

function toRegExp(pattern: string): RegExp {
  const literal = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${literal}$`, "s");
}

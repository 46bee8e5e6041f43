import type { BaseEpisode } from "../../core/episode/base.js";

/**
 * The episode's instruction, which a LeRobot dataset requires.
 *
 * @param taskName fallback for episodes without an instruction in words
 */
export function taskText({ instruction, goals, taskType }: BaseEpisode, taskName: string): string {
  if (instruction.text) return instruction.text;
  const category = goals.object_category;
  return taskType === "objectnav" && typeof category === "string" ? `find a ${category}` : taskName;
}

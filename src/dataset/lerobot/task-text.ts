import type { BaseEpisode } from "../../core/episode/base.js";

/**
 * What the robot was told, as a LeRobot dataset has to say it of every episode.
 *
 * @param taskName stands in where nothing was said in words
 */
export function taskText({ instruction, goals, taskType }: BaseEpisode, taskName: string): string {
  if (instruction.text) return instruction.text;
  const category = goals.object_category;
  return taskType === "objectnav" && typeof category === "string" ? `find a ${category}` : taskName;
}

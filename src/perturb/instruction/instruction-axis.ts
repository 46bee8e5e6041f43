import type { BaseEpisode } from "../../core/episode/base.js";
import type { Instruction } from "../../core/episode/schemas.js";
import { Random } from "../../core/math/random.js";
import type { EpisodeDraw, PerturbationAxis } from "../../core/perturbation/axis.js";
import { isRecord } from "../../core/record.js";
import { missingInstruction } from "../sensor-kind.js";

interface InstructionAxis
  extends Pick<PerturbationAxis, "description" | "parameter" | "levels" | "settings"> {
  /** The new instruction; undefined to keep the episode's own. Level 0 is not asked. */
  change(episode: BaseEpisode, draw: EpisodeDraw, random: Random): Instruction | undefined;
}

/**
 * An axis that changes the instruction. The episode itself keeps its instruction, because a simulator may read it; the
 * new one is drawn before the run, recorded, and replaces it on the way to the policy.
 */
export function instructionAxis({ change, ...axis }: InstructionAxis): PerturbationAxis {
  return {
    ...axis,
    kind: "interface",
    unit: "",
    neutral: 0,
    missing: missingInstruction,
    perturb: (episode, draw) => {
      const isChanged = draw.value !== 0 && (episode.instruction.text ?? "") !== "";
      const instruction = isChanged ? change(episode, draw, new Random(draw.seed)) : undefined;
      return instruction ? { episode, parameters: { instruction } } : { episode };
    },
    channel: ({ parameters: { instruction } }) =>
      isRecord(instruction) ? { instruction: () => instruction } : {},
  };
}

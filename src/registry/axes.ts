import type { PerturbationAxis } from "../core/perturbation/axis.js";
import type { Registry } from "../core/registry.js";
import { actionNoise } from "../perturb/action-noise.js";
import { blur } from "../perturb/image/blur.js";
import { brightness } from "../perturb/image/brightness.js";
import { contrast } from "../perturb/image/contrast.js";
import { depthHoles, depthNoise } from "../perturb/image/depth.js";
import { jpeg } from "../perturb/image/jpeg.js";
import { imageNoise } from "../perturb/image/noise.js";
import { occlusion } from "../perturb/image/occlusion.js";
import { imageShift } from "../perturb/image/shift.js";
import { instructionEmpty } from "../perturb/instruction/empty.js";
import { instructionOther } from "../perturb/instruction/other.js";
import { instructionParaphrase } from "../perturb/instruction/paraphrase.js";
import { instructionShuffle } from "../perturb/instruction/shuffle.js";
import { SIMULATOR_AXES } from "../perturb/simulator-axes.js";
import { frameDrop, latency, observationDelay } from "../perturb/timing.js";

/** In the order in which `robot-eval stress` runs them. */
export function registerAxes(axes: Registry<PerturbationAxis>): void {
  for (const [name, axis] of Object.entries(SIMULATOR_AXES)) axes.register(name, axis);
  axes.register("brightness", brightness);
  axes.register("contrast", contrast);
  axes.register("blur", blur);
  axes.register("image_noise", imageNoise);
  axes.register("occlusion", occlusion);
  axes.register("image_shift", imageShift);
  axes.register("jpeg", jpeg);
  axes.register("depth_noise", depthNoise);
  axes.register("depth_holes", depthHoles);
  axes.register("action_noise", actionNoise);
  axes.register("observation_delay", observationDelay);
  axes.register("frame_drop", frameDrop);
  axes.register("latency", latency);
  axes.register("instruction_paraphrase", instructionParaphrase);
  axes.register("instruction_shuffle", instructionShuffle);
  axes.register("instruction_empty", instructionEmpty);
  axes.register("instruction_other", instructionOther);
}

import type { PerturbationAxis } from "../core/perturbation/axis.js";
import type { Registry } from "../core/registry.js";
import { actionNoise } from "../perturb/action-noise.js";
import { blur } from "../perturb/image/blur.js";
import {
  brightness,
  contrast,
  imageNoise,
  imageShift,
  occlusion,
} from "../perturb/image/colour.js";
import { depthHoles, depthNoise } from "../perturb/image/depth.js";
import { jpeg } from "../perturb/image/jpeg.js";
import { instructionParaphrase } from "../perturb/instruction/paraphrase.js";
import {
  instructionEmpty,
  instructionOther,
  instructionShuffle,
} from "../perturb/instruction/words.js";
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

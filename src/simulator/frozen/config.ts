import { z } from "zod";
import { mujocoSensor } from "../manipulation/mujoco-config.js";
import { DEFAULT_ENGINE, ENGINES } from "../manipulation/physics/engine/names.js";

/** The keys of `simulator:` that the frozen backend reads. */
export const frozenConfig = z.object({
  engine: z
    .enum(ENGINES)
    .describe("the version of MuJoCo; mujoco-3.3 needs the package mujoco-js")
    .default(DEFAULT_ENGINE),
  sensors: z.record(z.string(), mujocoSensor).optional(),
  any_engine: z
    .boolean()
    .describe("play worlds that were frozen with another version of MuJoCo than the engine")
    .default(false),
});

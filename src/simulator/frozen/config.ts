import { z } from "zod";
import { mujocoSensor } from "../manipulation/mujoco-config.js";

/** The keys of `simulator:` that the frozen backend reads. */
export const frozenConfig = z.object({
  sensors: z.record(z.string(), mujocoSensor).optional(),
  any_engine: z
    .boolean()
    .describe("play worlds that were frozen with another version of MuJoCo than the embedded one")
    .default(false),
});

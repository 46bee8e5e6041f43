import { z } from "zod";

const MAX_PIXELS = 4096;

export const mujocoSensor = z.looseObject({
  width: z.int().min(1).max(MAX_PIXELS).describe("image width in pixels").optional(),
  height: z.int().min(1).max(MAX_PIXELS).describe("image height in pixels").optional(),
});

/** The keys of `simulator:` that the mujoco backend reads. */
export const mujocoConfig = z.looseObject({
  control_hz: z
    .number()
    .positive()
    .max(500)
    .describe("actions per second of simulated time")
    .default(20),
  sleep: z
    .boolean()
    .describe(
      "skip bodies at rest (MuJoCo sleep); faster, and episodes stay reproducible to the bit",
    )
    .default(true),
  sensors: z.record(z.string(), mujocoSensor).optional(),
});

export type MujocoConfig = z.output<typeof mujocoConfig>;

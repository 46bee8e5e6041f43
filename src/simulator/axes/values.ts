import { z } from "zod";
import { suggestion } from "../../core/registry.js";

/** The value of a simulator axis in an episode's `task_config.randomization.axes`. */
const axisValue = z.strictObject({
  value: z.number().nonnegative(),
  /** Seed of the axis's random stream. Default: that of the randomisation. */
  seed: z.union([z.number(), z.string()]).optional(),
});

export type AxisValue = z.output<typeof axisValue>;

/** Schema of `task_config.randomization.axes`, for a simulator with these axes. */
export function axisValues(names: readonly string[]) {
  return z.record(z.string(), axisValue).superRefine((axes, context) => {
    for (const name of Object.keys(axes)) {
      if (names.includes(name)) continue;
      const message = `unknown axis "${name}": ${suggestion(name, names)}`;
      context.addIssue({ code: "custom", path: [name], message });
    }
  });
}

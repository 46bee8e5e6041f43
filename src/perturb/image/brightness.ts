import { imageAxis } from "./image-axis.js";

export const brightness = imageAxis({
  description: "darker colour images",
  parameter: "loss of brightness",
  levels: [0.3, 0.6, 0.85],
  change: ({ data }, loss) => data.map((value) => Math.round(value * (1 - loss))),
});

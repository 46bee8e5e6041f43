import { imageAxis } from "./image-axis.js";

/** Pulls each pixel towards the mean of its image, so that the brightness stays. */
export const contrast = imageAxis({
  description: "colour images with less contrast",
  parameter: "loss of contrast",
  levels: [0.3, 0.6, 0.85],
  change: ({ data }, loss) => {
    let sum = 0;
    for (const value of data) sum += value;
    const mean = sum / data.length;
    return data.map((value) => Math.round(mean + (value - mean) * (1 - loss)));
  },
});

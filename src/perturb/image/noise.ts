import { imageAxis } from "./image-axis.js";

export const imageNoise = imageAxis({
  description: "colour images with Gaussian noise, independent in each value and step",
  parameter: "standard deviation of the noise",
  unit: "of 255",
  levels: [10, 30, 80],
  change: ({ data }, deviation, { fresh }) => {
    const random = fresh();
    return data.map((value) =>
      Math.min(255, Math.max(0, Math.round(value + deviation * random.normal()))),
    );
  },
});

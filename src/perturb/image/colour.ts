import { imageAxis } from "./image-axis.js";

export const brightness = imageAxis({
  description: "darker colour images",
  parameter: "loss of brightness",
  levels: [0.3, 0.6, 0.85],
  change: ({ data }, loss) => data.map((value) => Math.round(value * (1 - loss))),
});

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

const GREY = 127;

/** A grey rectangle with the image's proportions, at one place throughout the episode, as of dirt on the lens. */
export const occlusion = imageAxis({
  description: "a part of colour images is covered",
  parameter: "share of the image that is covered",
  levels: [0.1, 0.25, 0.5],
  change: ({ width, height, data }, share, { fixed }) => {
    const random = fixed();
    const side = Math.sqrt(share);
    const [w, h] = [Math.round(side * width), Math.round(side * height)];
    // Drawn as parts of the free space, so that a larger rectangle is at the same side.
    const left = Math.round(random.uniform() * (width - w));
    const top = Math.round(random.uniform() * (height - h));
    const out = data.slice();
    for (let y = top; y < top + h; y++) {
      out.fill(GREY, 3 * (y * width + left), 3 * (y * width + left + w));
    }
    return out;
  },
});

/** One direction throughout the episode, as of a camera that was knocked. The outermost pixels continue. */
export const imageShift = imageAxis({
  description: "colour images are shifted sideways, up or down",
  parameter: "shift, in parts of the image's width",
  levels: [0.05, 0.1, 0.2],
  change: ({ width, height, data }, share, { fixed }) => {
    const angle = 2 * Math.PI * fixed().uniform();
    const dx = Math.round(share * width * Math.cos(angle));
    const dy = Math.round(share * width * Math.sin(angle));
    const out = new Uint8Array(data.length);
    for (let y = 0; y < height; y++) {
      const fromY = Math.min(height - 1, Math.max(0, y - dy));
      for (let x = 0; x < width; x++) {
        const fromX = Math.min(width - 1, Math.max(0, x - dx));
        const [to, from] = [3 * (y * width + x), 3 * (fromY * width + fromX)];
        for (let c = 0; c < 3; c++) out[to + c] = data[from + c] ?? 0;
      }
    }
    return out;
  },
});

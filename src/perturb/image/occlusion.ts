import { imageAxis } from "./image-axis.js";

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

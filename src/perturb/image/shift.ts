import { imageAxis } from "./image-axis.js";

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

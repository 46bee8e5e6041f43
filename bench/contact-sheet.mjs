// A picture of image pairs: theirs, ours and the difference, four times brighter.
import sharp from "sharp";

const TILE = 160;
const GAP = 8;
const PAIRS_A_ROW = 2;
const DIFFERENCE_SCALE = 4;

/** Writes the first frame of each model to a WebP file. */
export async function contactSheet(file, frames) {
  const shown = frames.filter(({ model }, i) => model !== frames[i - 1]?.model);
  const tiles = await Promise.all(
    shown.flatMap((frame, i) =>
      [frame.theirs, frame.ours, difference(frame)].map(async (rgb, column) => ({
        input: await tile(rgb, frame.size),
        left: (i % PAIRS_A_ROW) * (3 * TILE + GAP) + column * TILE,
        top: Math.floor(i / PAIRS_A_ROW) * (TILE + GAP),
      })),
    ),
  );
  const rows = Math.ceil(shown.length / PAIRS_A_ROW);
  await sharp({
    create: {
      width: PAIRS_A_ROW * (3 * TILE + GAP) - GAP,
      height: rows * (TILE + GAP) - GAP,
      channels: 3,
      background: "white",
    },
  })
    .composite(tiles)
    .webp({ quality: 82 })
    .toFile(file);
}

function difference({ theirs, ours }) {
  return Uint8Array.from(theirs, (value, i) =>
    Math.min(255, DIFFERENCE_SCALE * Math.abs(value - ours[i])),
  );
}

function tile(rgb, { width, height }) {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(TILE, TILE)
    .png()
    .toBuffer();
}

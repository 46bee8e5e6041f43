import sharp from "sharp";
import { type ColorImage, isImage } from "../../../core/interfaces/observation.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import { filmConfig, picturesIn } from "../../../evaluator/video/cameras.js";
import type { RunDirectory } from "../../../runs/run-directory.js";
import type { FrameStrip } from "../documents.js";
import { planOf, trajectoryOf } from "./recorded.js";
import { resimulate } from "./resimulate.js";

/** Of WebP, 0 to 100. */
const QUALITY = 70;

/**
 * What the cameras saw at evenly spaced steps, the first and the last among them: those of the benchmark, or the
 * simulator's usual ones. Undefined where nothing was recorded, or there are no cameras.
 *
 * @param most steps of which there are pictures
 * @throws DataError where the trajectory is damaged, a scene is gone, or the episode comes out otherwise
 */
export async function frameStrip(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  most: number,
): Promise<FrameStrip | undefined> {
  const trajectory = await trajectoryOf(run, line);
  if (!trajectory || info.kind !== "run") return undefined;
  const plan = await planOf(run, info, line, trajectory);
  if (!plan.simulator?.sensors.some((name) => name.startsWith("rgb"))) return undefined;
  const shown = spacedSteps(trajectory.records.length, most);
  let sensors: readonly string[] = [];
  const frames: FrameStrip["frames"][number][] = [];
  await resimulate(plan, line, trajectory, filmConfig(plan), async ({ observation }, step) => {
    if (step === 0) sensors = picturesIn(observation);
    if (!shown.has(step)) return;
    const images: Record<string, string> = {};
    for (const name of sensors) {
      const image = observation[name];
      if (isImage(image) && image.kind === "rgb") images[name] = await dataUri(image);
    }
    frames.push({ step, images });
  });
  return sensors.length > 0 ? { sensors, frames } : undefined;
}

/** Of steps 0 to count - 1. */
function spacedSteps(count: number, most: number): ReadonlySet<number> {
  const frames = Math.min(count, most);
  const last = Math.max(1, frames - 1);
  return new Set(Array.from({ length: frames }, (_, i) => Math.round((i * (count - 1)) / last)));
}

async function dataUri({ width, height, data }: ColorImage): Promise<string> {
  const webp = await sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ quality: QUALITY })
    .toBuffer();
  return `data:image/webp;base64,${webp.toString("base64")}`;
}

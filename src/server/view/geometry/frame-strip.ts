import sharp from "sharp";
import { type ColorImage, isImage } from "../../../core/interfaces/observation.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import { filmConfig, picturesIn } from "../../../evaluator/record/video/cameras.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import type { FrameStrip } from "../documents.js";
import type { ViewPermissions } from "../view-permissions.js";
import { planOf, trajectoryOf } from "./recorded.js";
import { resimulate } from "./resimulate.js";

/** WebP quality, 0 to 100. */
const QUALITY = 70;

/**
 * Camera images at evenly spaced steps, including the first and the last, of the benchmark's cameras or the
 * simulator's default ones. Undefined if no trajectory was saved or there are no cameras.
 *
 * @param most maximum number of steps
 * @throws DataError if the trajectory is damaged, a scene is missing, or the replay differs
 */
export async function frameStrip(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  most: number,
  permissions: ViewPermissions = {},
): Promise<FrameStrip | undefined> {
  const trajectory = await trajectoryOf(run, line);
  if (!trajectory || info.kind !== "run") return undefined;
  const plan = await planOf(run, info, line, trajectory, permissions);
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

/** Selects from the steps 0 to count - 1. */
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

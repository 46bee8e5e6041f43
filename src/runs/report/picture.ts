import { stat } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { RobotEvalError } from "../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { topDownSvg } from "../../simulator/maps/top-down.js";
import { checkPlain, readPlain } from "../directory/plain-files.js";
import type { RunDirectory } from "../directory/run-directory.js";
import { readTrajectory, type Trajectory } from "../directory/trajectory.js";
import { mapOfLine } from "../episode-map.js";
import { conditionPlot } from "./condition-plot.js";
import { Html, html, trusted } from "./html.js";
import { objectIn } from "./objects.js";
import type { RunReport } from "./read.js";

const MAP_WIDTH_PX = 520;
const LARGEST_VIDEO = 1024 * 1024;
/** Total size of all videos embedded in a page. */
const MAX_VIDEO_BYTES = 3 * 1024 * 1024;

/** The map, plot and video of an episode. */
export interface Pictured {
  readonly instruction: string | undefined;
  readonly object: string | undefined;
  readonly pictures: readonly Html[];
}

/** Draws episodes for a page. Replaces an image that cannot be drawn with a note. */
export class Illustrator {
  readonly #run: RunDirectory;
  readonly #info: RunInfo;
  readonly #permissions: RunReport["permissions"];
  #videoBytesLeft = MAX_VIDEO_BYTES;

  constructor({ run, info, permissions }: Pick<RunReport, "run" | "info" | "permissions">) {
    this.#run = run;
    this.#info = info;
    this.#permissions = permissions;
  }

  async draw(line: EpisodeLine): Promise<Pictured> {
    const video = await this.#video(line);
    const path = this.#run.trajectoryOf(line);
    const trajectory = path === null ? null : await orNote(() => readTrajectory(path));
    const drawing =
      trajectory === null || trajectory instanceof Html
        ? trajectory
        : await orNote(() => this.#drawing(line, trajectory));
    const episode = trajectory && "episode" in trajectory ? trajectory.episode : undefined;
    return {
      instruction: episode?.instruction.text,
      object: objectIn(episode?.goals),
      pictures: [video, drawing].flatMap((picture) => picture ?? []),
    };
  }

  async #drawing(line: EpisodeLine, { records }: Trajectory): Promise<Html | null> {
    if (records.some(({ state }) => state.position !== undefined)) {
      // The card already shows the title.
      const { title: _, ...map } = await mapOfLine(this.#run, this.#info, line, {
        permissions: this.#permissions,
      });
      return html`<figure class="map">${trusted(topDownSvg({ ...map, widthPx: MAP_WIDTH_PX }))}</figure>`;
    }
    return conditionPlot(records);
  }

  async #video(line: EpisodeLine): Promise<Html | null> {
    const path = this.#run.videoOf(line);
    if (path === null) return null;
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) return null;
    const draw = VIDEO_ELEMENTS[extname(path)];
    if (!draw || found.size > Math.min(LARGEST_VIDEO, this.#videoBytesLeft)) {
      return html`<p class="note">Video: <code>${line.video}</code> in the run directory</p>`;
    }
    await checkPlain(dirname(path), "folder");
    const bytes = await readPlain(path);
    this.#videoBytesLeft -= bytes.length;
    return html`<figure>${draw(bytes.toString("base64"), `video of ${line.episode_key}`)}</figure>`;
  }
}

const VIDEO_ELEMENTS: Readonly<Record<string, (base64: string, what: string) => Html>> = {
  ".webp": (base64, what) => html`<img src="data:image/webp;base64,${base64}" alt="${what}">`,
  ".mp4": (base64, what) =>
    html`<video src="data:video/mp4;base64,${base64}" aria-label="${what}" controls muted loop></video>`,
};

/** Replaces the image with a note if the scene is missing or a file is damaged. */
async function orNote<T>(work: () => Promise<T>): Promise<T | Html> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    return html`<p class="note">Not drawn: ${error.message}</p>`;
  }
}

import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { RobotEvalError } from "../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { topDownSvg } from "../../simulator/maps/top-down.js";
import { mapOfLine } from "../episode-map.js";
import type { RunDirectory } from "../run-directory.js";
import { readTrajectory, type Trajectory } from "../trajectory.js";
import { conditionPlot } from "./condition-plot.js";
import { Html, html, trusted } from "./html.js";
import { objectIn } from "./objects.js";

const MAP_WIDTH_PX = 520;
const LARGEST_FILM = 1024 * 1024;
/** Of all films of a page together. */
const FILM_BYTES = 3 * 1024 * 1024;

/** What there is to see of an episode. */
export interface Pictured {
  readonly instruction: string | undefined;
  readonly object: string | undefined;
  readonly pictures: readonly Html[];
}

/** Draws episodes for a page. What cannot be drawn is said in the picture's place. */
export class Illustrator {
  readonly #run: RunDirectory;
  readonly #info: RunInfo;
  #filmBytesLeft = FILM_BYTES;

  constructor(run: RunDirectory, info: RunInfo) {
    this.#run = run;
    this.#info = info;
  }

  async draw(line: EpisodeLine): Promise<Pictured> {
    const film = await this.#film(line);
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
      pictures: [film, drawing].flatMap((picture) => picture ?? []),
    };
  }

  async #drawing(line: EpisodeLine, { records }: Trajectory): Promise<Html | null> {
    if (records.some(({ state }) => state.position !== undefined)) {
      // The card has the title already.
      const { title: _, ...map } = await mapOfLine(this.#run, this.#info, line);
      return html`<figure class="map">${trusted(topDownSvg({ ...map, widthPx: MAP_WIDTH_PX }))}</figure>`;
    }
    return conditionPlot(records);
  }

  async #film(line: EpisodeLine): Promise<Html | null> {
    const path = this.#run.videoOf(line);
    if (path === null) return null;
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) return null;
    const draw = FILMS[extname(path)];
    if (!draw || found.size > Math.min(LARGEST_FILM, this.#filmBytesLeft)) {
      return html`<p class="note">Film: <code>${line.video}</code> in the run directory</p>`;
    }
    const bytes = await readFile(path);
    this.#filmBytesLeft -= bytes.length;
    return html`<figure>${draw(bytes.toString("base64"), `film of ${line.episode_key}`)}</figure>`;
  }
}

/** How each kind of film is shown. */
const FILMS: Readonly<Record<string, (base64: string, what: string) => Html>> = {
  ".webp": (base64, what) => html`<img src="data:image/webp;base64,${base64}" alt="${what}">`,
  ".mp4": (base64, what) =>
    html`<video src="data:video/mp4;base64,${base64}" aria-label="${what}" controls muted loop></video>`,
};

/** A scene that is gone, or a damaged file, costs its picture and not the page. */
async function orNote<T>(work: () => Promise<T>): Promise<T | Html> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    return html`<p class="note">Not drawn: ${error.message}</p>`;
  }
}

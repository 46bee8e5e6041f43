import type { StepRecord } from "../../../core/interfaces/step.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { collect } from "../../../simulator/maps/content.js";
import { drawEpisode } from "../../../simulator/maps/draw-episode.js";
import { drawScene } from "../../../simulator/maps/draw-scene.js";
import { stepOf } from "../../../simulator/maps/handling.js";
import { layOut, type Panel } from "../../../simulator/maps/layout.js";
import { INK } from "../../../simulator/maps/palette.js";
import { findStoreys, type Storeys } from "../../../simulator/maps/storeys.js";
import { path, polyline, px } from "../../../simulator/maps/svg.js";
import type { TakenStep, TopDownMap } from "../../../simulator/maps/top-down.js";
import { Canvas, even, type Pixels, type Rgb } from "./canvas.js";
import { rasterise } from "./raster.js";

const PATH: Rgb = [31, 94, 155];
const LOADED: Rgb = [208, 120, 20];
const ROBOT: Rgb = [11, 47, 87];
const RIM: Rgb = [255, 255, 255];
const COLLISION: Rgb = [209, 0, 31];
const PATH_PX = 2;
const ROBOT_PX = 5;

/** Symbols and text have fixed pixel sizes, so the map is drawn larger and scaled down. */
const FINER = 1.4;

/** Edges of a navigation graph. */
export type Ways = readonly (readonly [Vec3, Vec3])[];

/**
 * A top-down map with the robot. Static content is drawn once, the path is added step by step, and the robot is
 * drawn on a copy.
 */
export class FilmMap {
  #last: TakenStep | undefined;

  private constructor(
    private readonly canvas: Canvas,
    private readonly scale: number,
    private readonly panels: readonly Panel[],
    private readonly storeys: Storeys,
  ) {}

  /** @param map holds the whole path, which determines the visible area; the path is drawn by `advance` */
  static async draw(map: TopDownMap, ways: Ways, box: MapBox): Promise<FilmMap> {
    const contents = collect(map);
    const layout = layOut(contents.storeys, box.width * FINER, 0, "bare");
    const scale = Math.min(box.width / layout.widthPx, box.height / layout.bottom);
    const panels = layout.panels.map((panel, i) => {
      const storey = contents.storeys[i];
      if (!storey) return "";
      // A nested SVG clips its content.
      return (
        `<svg x="${px(panel.left)}" y="${px(panel.top)}" width="${px(panel.widthPx)}" height="${px(panel.heightPx)}">` +
        `${drawScene(storey, panel)}${drawWays(ways, panel)}` +
        `${drawEpisode({ ...storey, taken: [], loaded: [], collisions: [], end: undefined }, panel)}</svg>`
      );
    });
    const [left = 0, right = layout.widthPx] = extent(layout.panels);
    const size = { width: even((right - left) * scale), height: box.height };
    const top = (box.height / scale - layout.bottom) / 2;
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" ` +
      `viewBox="${px(left)} ${px(-top)} ${size.width / scale} ${size.height / scale}">` +
      `<rect x="${px(left)}" y="${px(-top)}" width="100%" height="100%" fill="${INK.page}"/>${panels.join("")}</svg>`;
    const moved = layout.panels.map((panel) => ({
      ...panel,
      left: panel.left - left,
      top: panel.top + top,
    }));
    const canvas = Canvas.copyOf(await rasterise(svg));
    return new FilmMap(canvas, scale, moved, findStoreys(map.surface));
  }

  get width(): number {
    return this.canvas.width;
  }

  /** Adds a step to the path. */
  advance({ state }: StepRecord): void {
    const step = stepOf(state);
    const before = this.#last ?? step;
    this.#last = step;
    if (!step || !before) return;
    for (const panel of this.#panelsAt(step.position)) {
      const at = this.#project(panel, step.position);
      const ink = step.loaded ? LOADED : PATH;
      this.canvas.line(this.#project(panel, before.position), at, PATH_PX, ink);
      if (step.collided) this.canvas.disc(...at, 1.5, COLLISION);
    }
  }

  /** The map at the current step. */
  picture(): Pixels {
    const canvas = Canvas.copyOf(this.canvas);
    if (!this.#last) return canvas;
    const { position, headingRad: heading } = this.#last;
    for (const panel of this.#panelsAt(position)) {
      const [x, y] = this.#project(panel, position);
      canvas.disc(x, y, ROBOT_PX + 1.5, RIM);
      if (heading !== undefined) {
        const nose = [x - 11 * Math.sin(heading), y - 11 * Math.cos(heading)] as const;
        canvas.line([x, y], nose, 5, RIM);
        canvas.line([x, y], nose, 2.5, ROBOT);
      }
      canvas.disc(x, y, ROBOT_PX, ROBOT);
    }
    return canvas;
  }

  #panelsAt([, y]: Vec3): Panel[] {
    const storeys = this.storeys.at(y);
    return this.panels.filter(({ storey }) => storeys.includes(storey));
  }

  #project(panel: Panel, [x, , z]: Vec3): [number, number] {
    const [px, py] = panel.project([x, z]);
    return [(panel.left + px) * this.scale, (panel.top + py) * this.scale];
  }
}

export interface MapBox {
  /** Maximum; a narrow scene takes less. */
  readonly width: number;
  readonly height: number;
}

function extent(panels: readonly Panel[]): readonly [number, number] | [] {
  const [first, last] = [panels[0], panels.at(-1)];
  return first && last ? [first.left, last.left + last.widthPx] : [];
}

function drawWays(ways: Ways, panel: Panel): string {
  const lines = ways.map((ends) => polyline(ends.map(([x, , z]) => panel.project([x, z]))));
  return path(lines.join(""), `stroke="${INK.walkableEdge}" stroke-width="1.2" fill="none"`);
}

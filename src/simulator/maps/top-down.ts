import type { Vec3 } from "../../core/math/vec3.js";
import type { WalkableSurface } from "../navmesh/extract-surface.js";
import type { SceneModel } from "../scenes/model.js";
import { collect } from "./content.js";
import { drawEpisode } from "./draw-episode.js";
import { drawScene } from "./draw-scene.js";
import type { Handling } from "./handling.js";
import { layOut, type Panel } from "./layout.js";
import { drawLegend } from "./legend.js";
import { INK } from "./palette.js";
import { escapeXml, px, text, wrap } from "./svg.js";

/** An episode seen from above. All positions in metres, Habitat's axes; -z is up on the page. */
export interface TopDownMap {
  /** Walkable surface of the scene. If it is empty, only the paths are drawn. */
  readonly surface: WalkableSurface;
  /** Room outlines and furniture, if known. */
  readonly model?: Pick<SceneModel, "rooms" | "doors" | "instances" | "drawers">;
  readonly start?: { readonly position: Vec3; readonly headingRad?: number };
  /** Positions of goal objects or points. */
  readonly goals?: readonly Vec3[];
  /** Positions at which ObjectNav counts as successful; there may be hundreds. */
  readonly viewPoints?: readonly Vec3[];
  /** Success radius around a view point or, if there are none, a goal. */
  readonly successDistanceM?: number;
  readonly reference?: readonly Vec3[];
  readonly taken?: readonly TakenStep[];
  /** The object that the robot carries from one piece of furniture to another. */
  readonly handling?: Handling;
  readonly title?: string;
  /** Width of the image; 800 by default. */
  readonly widthPx?: number;
}

export interface TakenStep {
  readonly position: Vec3;
  readonly headingRad?: number;
  readonly collided?: boolean;
  /** The robot carries the object. */
  readonly loaded?: boolean;
}

const DEFAULT_WIDTH_PX = 800;
const LEAST_WIDTH_PX = 160;
const MOST_WIDTH_PX = 8000;
const TITLE_CAP_PX = 9.5;
const TITLE_LINE_PX = 18;
const TITLE_LINES = 3;

/**
 * The map as a self-contained SVG document; equal input gives equal bytes. Only the storeys that the episode
 * visits are shown, one panel each.
 *
 * @example
 * const scene = await sceneLibrary.scene("apartment/7", undefined, HABITAT_NAVMESH);
 * const svg = topDownSvg({ surface: scene.navMesh.surface(), model: scene.model });
 * scene.release();
 */
export function topDownSvg(map: TopDownMap): string {
  const widthPx = Math.round(
    Math.min(Math.max(map.widthPx ?? DEFAULT_WIDTH_PX, LEAST_WIDTH_PX), MOST_WIDTH_PX),
  );
  const contents = collect(map);
  const title = titleLines(map.title ?? "", widthPx);
  const layout = layOut(
    contents.storeys,
    widthPx,
    title.bottom,
    contents.levels.length > 1 ? "labelled" : "bare",
  );
  const panels = layout.panels.map((panel, i) => {
    const storey = contents.storeys[i];
    if (!storey) return "";
    // A nested document clips its content without needing an id.
    return (
      storeyLabel(panel, contents.levels) +
      `<svg aria-hidden="true" x="${px(panel.left)}" y="${px(panel.top)}" width="${px(panel.widthPx)}" height="${px(panel.heightPx)}">` +
      `${drawScene(storey, panel)}${drawEpisode(storey, panel)}</svg>`
    );
  });
  const legend = drawLegend(contents, layout);
  const heightPx = Math.ceil(legend.bottom);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}" role="img">` +
    `<title>${escapeXml(map.title ?? "top-down map")}</title>` +
    `<rect width="${widthPx}" height="${heightPx}" fill="${INK.page}"/>` +
    `${title.svg}${panels.join("")}${legend.svg}</svg>\n`
  );
}

/**
 * The same map rasterised at the SVG's size.
 *
 * @example
 * const scene = await sceneLibrary.scene("apartment/7", undefined, HABITAT_NAVMESH);
 * const png = await topDownPng({ surface: scene.navMesh.surface(), widthPx: 400 });
 * scene.release();
 */
export async function topDownPng(map: TopDownMap): Promise<Buffer> {
  // Imported on first use: most commands never draw, and loading the library is slow.
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(topDownSvg(map)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}

function titleLines(title: string, widthPx: number): { svg: string; bottom: number } {
  const lines = wrap(title, widthPx - 32, TITLE_CAP_PX, TITLE_LINES);
  const svg = lines.map((line, i) =>
    text(line, [16, 26 + i * TITLE_LINE_PX], {
      capPx: TITLE_CAP_PX,
      color: INK.text,
      weight: 14,
    }),
  );
  return {
    svg: svg.join(""),
    bottom: 14 + (lines.length > 0 ? 8 + lines.length * TITLE_LINE_PX : 0),
  };
}

function storeyLabel({ storey, left, widthPx, top }: Panel, levels: readonly number[]): string {
  if (levels.length < 2) return "";
  const height = (levels[storey] ?? 0).toFixed(1).replace("-0.0", "0.0");
  const words = `storey ${storey + 1} of ${levels.length}, floor at ${height} m`;
  const fitting = wrap(words, widthPx, 7.5, 1)[0] ?? "";
  return text(fitting, [left + widthPx / 2, top - 6], {
    capPx: 7.5,
    color: INK.faintText,
    anchor: "middle",
  });
}

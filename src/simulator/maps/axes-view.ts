import type { QuatXyzw } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { type Camera, viewOf } from "../render/camera.js";
import type { Renderer } from "../render/renderer.js";
import type { Bounds } from "../scenes/geometry.js";
import { INK } from "./palette.js";
import { circle, type Pixel, path, px, segment, text, wrap } from "./svg.js";

/** A scene seen from outside, for checking its axes, its origin and its size. */
interface AxesScene {
  readonly renderer: Pick<Renderer, "render">;
  readonly bounds: Bounds;
  readonly title: string;
  /** Lines below the pictures. */
  readonly notes: readonly string[];
}

const PANEL_PX = 560;
const GAP_PX = 16;
const TOP_PX = 56;
const LINE_PX = 19;
const AXES = [
  { name: "x", direction: [1, 0, 0], color: "#d1001f" },
  { name: "y", direction: [0, 1, 0], color: "#0a7d2c" },
  { name: "z", direction: [0, 0, 1], color: "#0a4fd1" },
] as const;
const LENGTHS_M = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** Shortest scale bar in pixels. */
const BAR_PX = 24;

/**
 * Two pictures of a scene from outside, from above at an angle and straight down, with Habitat's axes drawn
 * from the origin: x red, y (up) green, z blue, a mark at every metre, and a scale bar.
 */
export async function axesPng(scene: AxesScene): Promise<Buffer> {
  // Imported on first use: most commands never draw, and loading the library is slow.
  const { default: sharp } = await import("sharp");
  const { centre, radiusM, isFar } = framing(scene.bounds);
  const oblique = lookAt(centre, radiusM, 40, Math.PI / 5, -0.65);
  const down = lookAt(centre, radiusM, 30, 0, -Math.PI / 2);
  const widthPx = 2 * PANEL_PX + 3 * GAP_PX;
  const notes = [...scene.notes, ...(isFar ? ["the origin is outside the pictures"] : [])];
  const lines = notes.flatMap((note) => wrap(note, widthPx - 2 * GAP_PX, 8.5, 3));
  const heightPx = TOP_PX + PANEL_PX + GAP_PX + (lines.length + 1) * LINE_PX;
  const panels = [
    { camera: oblique, left: GAP_PX, words: "from above at an angle" },
    {
      camera: down,
      left: 2 * GAP_PX + PANEL_PX,
      words: "from straight above: x right, z down, y towards you",
    },
  ];
  const images = panels.map(({ camera, left }) => ({
    input: Buffer.from(onGrey(scene.renderer, camera)),
    raw: { width: PANEL_PX, height: PANEL_PX, channels: 3 as const },
    left,
    top: TOP_PX,
  }));
  const drawing = panels.map(
    ({ camera, left, words }) =>
      text(words, [left, TOP_PX - 8], { capPx: 8, color: INK.faintText }) +
      `<svg x="${left}" y="${TOP_PX}" width="${PANEL_PX}" height="${PANEL_PX}">` +
      `${isFar ? "" : axes(camera, radiusM)}${bar(camera, centre)}</svg>`,
  );
  const captions = lines.map((line, i) =>
    text(line, [GAP_PX, TOP_PX + PANEL_PX + (i + 1.4) * LINE_PX], { capPx: 8.5, color: INK.text }),
  );
  const [title = ""] = wrap(scene.title, widthPx - 2 * GAP_PX, 10, 1);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">` +
    `${text(title, [GAP_PX, 26], { capPx: 10, color: INK.text, weight: 14 })}` +
    `${drawing.join("")}${captions.join("")}</svg>`;
  const page = { width: widthPx, height: heightPx, channels: 3 as const, background: INK.page };
  return sharp({ create: page })
    .composite([...images, { input: Buffer.from(svg), left: 0, top: 0 }])
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** A sphere around the scene and the origin; without the origin if that is much farther than the scene. */
function framing({ min, max }: Bounds): { centre: Vec3; radiusM: number; isFar: boolean } {
  const size = Math.hypot(...min.map((low, i) => (max[i] as number) - low));
  const beside = min.map((low, i) => Math.max(low, 0) - Math.min(max[i] as number, 0));
  const isFar = Math.hypot(...beside.map((d) => Math.max(d, 0))) > Math.max(size, 1);
  const [low, high] = isFar
    ? [min, max]
    : [min.map((v) => Math.min(v, 0)), max.map((v) => Math.max(v, 0))];
  const middle = (k: number) => ((low[k] ?? 0) + (high[k] ?? 0)) / 2;
  const diagonal = Math.hypot(...low.map((v, i) => (high[i] ?? 0) - v));
  return {
    centre: [middle(0), middle(1), middle(2)],
    radiusM: Math.max(diagonal / 2, 0.75),
    isFar,
  };
}

function lookAt(
  centre: Vec3,
  radiusM: number,
  hfovDeg: number,
  headingRad: number,
  tiltRad: number,
): Camera {
  const away = (1.04 * radiusM) / Math.sin((hfovDeg * Math.PI) / 360);
  const [sh, ch] = [Math.sin(headingRad), Math.cos(headingRad)];
  const [st, ct] = [Math.sin(tiltRad), Math.cos(tiltRad)];
  const [sy, cy] = [Math.sin(headingRad / 2), Math.cos(headingRad / 2)];
  const [sx, cx] = [Math.sin(tiltRad / 2), Math.cos(tiltRad / 2)];
  const rotation: QuatXyzw = [cy * sx, sy * cx, 0 - sy * sx, cy * cx];
  return {
    width: PANEL_PX,
    height: PANEL_PX,
    hfovDeg,
    position: [centre[0] + away * ct * sh, centre[1] - away * st, centre[2] + away * ct * ch],
    rotation,
    nearM: away / 1000,
  };
}

/** Replaces the background, which has depth 0, by light grey, on which all three axes are visible. */
function onGrey(renderer: AxesScene["renderer"], camera: Camera): Uint8Array {
  const { rgb = new Uint8Array(), depth } = renderer.render(camera, { rgb: true, depth: true });
  return rgb.map((value, i) => (depth?.[Math.floor(i / 3)] === 0 ? 236 : value));
}

function axes(camera: Camera, radiusM: number): string {
  const length = LENGTHS_M.findLast((m) => m <= Math.max(1, 0.6 * radiusM)) ?? 1;
  const at = (direction: Vec3, m: number): Pixel =>
    project(camera, [direction[0] * m, direction[1] * m, direction[2] * m]);
  const origin = project(camera, [0, 0, 0]);
  const drawn = AXES.map(({ name, direction, color }) => {
    const end = at(direction, length);
    const along = Math.hypot(end[0] - origin[0], end[1] - origin[1]);
    // Seen along the axis, an arrow is a point.
    if (along < 6) return circle(end, 6, `fill="none" stroke="${color}" stroke-width="2.5"`);
    const [ux, uy] = [(end[0] - origin[0]) / along, (end[1] - origin[1]) / along];
    const ticks =
      length <= 20 ? Array.from({ length: length - 1 }, (_, i) => at(direction, i + 1)) : [];
    const tick = ([x, y]: Pixel) => segment([x - 4 * uy, y + 4 * ux], [x + 4 * uy, y - 4 * ux]);
    const head =
      segment(end, [end[0] - 11 * ux - 5 * uy, end[1] - 11 * uy + 5 * ux]) +
      segment(end, [end[0] - 11 * ux + 5 * uy, end[1] - 11 * uy - 5 * ux]);
    const words = `${name}${name === "y" ? ", up" : ""}: ${length} m`;
    const place: Pixel = [end[0] + 14 * ux, end[1] + 14 * uy + 5];
    return (
      path(segment(origin, end) + head, `stroke="#fff" stroke-width="5.5" fill="none"`) +
      path(segment(origin, end) + head, `stroke="${color}" stroke-width="3" fill="none"`) +
      path(ticks.map(tick).join(""), `stroke="${color}" stroke-width="2"`) +
      text(words, place, {
        capPx: 9,
        color,
        weight: 16,
        halo: "#fff",
        anchor: ux < -0.3 ? "end" : "start",
      })
    );
  });
  return drawn.join("") + circle(origin, 5, 'fill="#222" stroke="#fff" stroke-width="1.5"');
}

/** A bar of 1 m, or of 10 m and more in large scenes, at the distance of the scene's middle. */
function bar(camera: Camera, centre: Vec3): string {
  const { focalPx, position } = viewOf(camera);
  const away = Math.hypot(...position.map((value, i) => value - (centre[i] as number)));
  const lengthM = [1, 10, 100, 1000].find((m) => (focalPx * m) / away >= BAR_PX) ?? 1000;
  const lengthPx = (focalPx * lengthM) / away;
  const [x, y] = [14, PANEL_PX - 16];
  return (
    `<rect x="${px(x - 6)}" y="${px(y - 22)}" width="${px(lengthPx + 12)}" height="30" fill="#fff" fill-opacity=".8"/>` +
    path(
      segment([x, y], [x + lengthPx, y]) +
        segment([x, y - 5], [x, y + 5]) +
        segment([x + lengthPx, y - 5], [x + lengthPx, y + 5]),
      `stroke="#222" stroke-width="2"`,
    ) +
    text(`${lengthM} m`, [x + lengthPx / 2, y - 8], { capPx: 8, color: "#222", anchor: "middle" })
  );
}

function project(camera: Camera, point: Vec3): Pixel {
  const { position, right, up, ahead, focalPx, centreX, centreY } = viewOf(camera);
  const from = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
  const along = (axis: Vec3) => axis.reduce((sum, k, i) => sum + k * (from[i] as number), 0);
  const depth = along(ahead);
  return [centreX + (focalPx * along(right)) / depth, centreY - (focalPx * along(up)) / depth];
}

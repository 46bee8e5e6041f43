import { blend, byte, type Canvas } from "./canvas.js";
import { depthSteps, TILE } from "./depth-tiles.js";
import type { PlacedGeom } from "./placed-geoms.js";
import { sampleCube } from "./sample.js";
import type { SampleBuffer } from "./sample-buffer.js";
import type { GlCamera, GlSettings, GlTexture } from "./scene.js";

/** MuJoCo draws the sky on a cylinder of this part of the far clipping distance. */
const SKY_PART = 0.7;

/** Draws the sky, and the haze between it and the first infinite plane, where nothing nearer was drawn. */
export function drawSky(
  canvas: Canvas,
  buffer: SampleBuffer,
  camera: GlCamera,
  texture: GlTexture,
  settings: GlSettings,
  plane: PlacedGeom | undefined,
): void {
  const { width, height, samples } = buffer;
  const { znear, zfar } = settings;
  const distance = SKY_PART * zfar;
  const [at, dx, dy] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const ray = rayOf(camera, width, height, settings);
  const lookup = { at, dx, dy };
  const direction = new Float64Array(3);
  // Rays are linear in the column and the row, so their changes are the same everywhere.
  const [corner, byColumn, byRow] = [rayAt(ray, 0, 0), rayAt(ray, 1, 0), rayAt(ray, 0, 1)];
  for (let k = 0; k < 3; k++) {
    byColumn[k] = (byColumn[k] as number) - (corner[k] as number);
    byRow[k] = (byRow[k] as number) - (corner[k] as number);
  }
  toSky(byColumn, dx);
  toSky(byRow, dy);
  const [r, g, b] = settings.hazeRgb;
  const hazeColour = byte(255 * r) | (byte(255 * g) << 8) | (byte(255 * b) << 16);
  const haze = plane && hazeOf(plane, camera.position, distance, settings);
  // Depth as in the buffer, 1 at the near and 0 at the far plane, of a point `d` metres ahead.
  const depthOf = (d: number) => (znear * (zfar - d)) / (Math.max(d, znear) * (zfar - znear));
  // Nearer than this, along the longest ray, is neither sky nor haze.
  const longest = Math.hypot(...corner);
  const nearest = depthOf((0.9 * distance * Math.min(1, 1 - settings.haze)) / longest);
  const nearestSteps = depthSteps(nearest);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if (
        column % TILE === 0 &&
        buffer.tiles.hides(nearestSteps, column, column, row, row, buffer)
      ) {
        column += TILE - 1;
        continue;
      }
      const first = (row * width + column) * samples;
      let farthest = buffer.depth[first] as number;
      let closest = farthest;
      for (let s = first + 1; s < first + samples; s++) {
        const next = buffer.depth[s] as number;
        if (next < farthest) farthest = next;
        if (next > closest) closest = next;
      }
      if (farthest > nearest) continue;
      for (let k = 0; k < 3; k++) {
        direction[k] =
          (corner[k] as number) +
          (column + 0.5) * (byColumn[k] as number) +
          (row + 0.5) * (byRow[k] as number);
      }
      // Where nothing was drawn, the sky is always seen: it is nearer than the far plane.
      const depth = closest === 0 ? 0 : depthOf(distance * reachOf(direction, settings.slices));
      const isSeen = farthest <= depth;
      let colour = 0;
      if (isSeen) {
        toSky(direction, at);
        colour = sampleCube(texture, lookup) & 0xffffff;
      }
      const band = haze?.(direction);
      const hazeDepth = band ? depthOf(band.reach) : 0;
      for (let s = first; s < first + samples; s++) {
        const drawn = buffer.depth[s] as number;
        if (isSeen && drawn <= depth) canvas[s] = colour;
        if (band && drawn <= hazeDepth) {
          canvas[s] = blend(canvas[s] as number, hazeColour, band.opacity);
        }
      }
    }
  }
}

function rayAt(ray: ReturnType<typeof rayOf>, column: number, row: number): Float64Array {
  const out = new Float64Array(3);
  ray(column, row, out);
  return out;
}

/** The sky's axes: MuJoCo turns them by a quarter about x. */
function toSky(from: Float64Array, to: Float64Array): void {
  to[0] = from[0] as number;
  to[1] = from[2] as number;
  to[2] = -(from[1] as number);
}

/** Where the view ray leaves a cylinder of radius 1 from -1 to 1 with flat sides, in units of the ray. */
function reachOf(direction: Float64Array, slices: number): number {
  const [x, y, z] = direction as unknown as [number, number, number];
  const across = Math.hypot(x, y);
  const side = (2 * Math.PI) / slices;
  const angle = Math.atan2(y, x);
  const within = angle - Math.floor(angle / side) * side - side / 2;
  const radius = Math.cos(side / 2) / Math.cos(within);
  return Math.min(radius / Math.max(across, 1e-12), 1 / Math.max(Math.abs(z), 1e-12));
}

/** The ray through a point of the image, with length 1 along the camera's axis. */
function rayOf(
  { matrix: m, left, right, bottom, top, orthographic }: GlCamera,
  width: number,
  height: number,
  { znear }: GlSettings,
): (column: number, row: number, out: Float64Array) => void {
  return (column, row, out) => {
    const x = orthographic ? 0 : (left + ((right - left) * column) / width) / znear;
    const y = orthographic ? 0 : (top - ((top - bottom) * row) / height) / znear;
    for (let k = 0; k < 3; k++) {
      out[k] = (m[3 * k] as number) * x + (m[3 * k + 1] as number) * y - (m[3 * k + 2] as number);
    }
  };
}

/**
 * The haze is a cone below the horizon: from the plane, nearer by the part `haze`, up to the sky at the height of the
 * camera. It is opaque in between and clear at both ends.
 */
function hazeOf(
  { pose: m }: PlacedGeom,
  head: readonly [number, number, number],
  distance: number,
  { haze, slices }: GlSettings,
): ((direction: Float64Array) => { reach: number; opacity: number } | undefined) | undefined {
  const column = (k: number) => [m[k], m[4 + k], m[8 + k]] as [number, number, number];
  const [x, y, z] = [column(0), column(1), column(2)];
  const elevation =
    ((head[0] - (m[3] as number)) * z[0] +
      (head[1] - (m[7] as number)) * z[1] +
      (head[2] - (m[11] as number)) * z[2]) /
    distance;
  if (elevation < 0) return undefined;
  const alpha = Math.atan2(1, haze);
  const peak = (Math.SQRT1_2 * haze * Math.sin(alpha)) / Math.sin(0.75 * Math.PI - alpha);
  const side = (2 * Math.PI) / slices;
  return (direction) => {
    const along = (axis: readonly [number, number, number]) =>
      (direction[0] as number) * axis[0] +
      (direction[1] as number) * axis[1] +
      (direction[2] as number) * axis[2];
    const [dx, dy, dz] = [along(x), along(y), along(z)];
    if (dz >= 0) return undefined;
    const angle = Math.atan2(dy, dx);
    const within = angle - Math.floor(angle / side) * side - side / 2;
    const across = (Math.hypot(dx, dy) * Math.cos(within)) / Math.cos(side / 2);
    // Heights from 1 (the camera's) down to 0 (the plane); the ray falls by `slope` per radius.
    const slope = -dz / (across * elevation);
    const below = slope / (1 + slope * haze);
    if (!(below <= 1)) return undefined;
    const at = 1 - below;
    return {
      reach: (distance * (1 - haze * below)) / across,
      opacity: at < peak ? at / peak : (1 - at) / (1 - peak),
    };
  };
}

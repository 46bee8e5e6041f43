import type { GlColours, GlLight, GlMaterial, GlPoses, GlScene } from "./scene.js";

type Vec = readonly [number, number, number];

/** A light at its current place; the headlight shines along the camera's axis. */
export interface PlacedLight extends GlColours {
  readonly directional: boolean;
  readonly castShadow: boolean;
  readonly position: Vec;
  /** Unit vector along which it shines. */
  readonly direction: Vec;
  readonly attenuation: Vec;
  readonly exponent: number;
  /** Cosine of the cone's half angle; -1 for no cone. */
  readonly cosCutoff: number;
  readonly cutoffDeg: number;
}

/** OpenGL has eight lights; MuJoCo's settings of further ones have no effect. */
const MOST_LIGHTS = 8;

/** The lights of a frame in OpenGL's order: the headlight first. */
export function lightsOf(
  { lights, headlight, settings }: GlScene,
  { lightPositions, lightDirections }: GlPoses,
  ahead: Vec,
): readonly PlacedLight[] {
  const at = (array: Float64Array, i: number): Vec => [
    array[3 * i] as number,
    array[3 * i + 1] as number,
    array[3 * i + 2] as number,
  ];
  const placed = lights.map((light, i) =>
    placedLight(light, at(lightPositions, i), at(lightDirections, i), settings.shadows),
  );
  const head: PlacedLight | undefined = headlight && {
    ...headlight,
    directional: true,
    castShadow: false,
    position: [0, 0, 0],
    direction: ahead,
    attenuation: [1, 0, 0],
    exponent: 0,
    cosCutoff: -1,
    cutoffDeg: 180,
  };
  return [...(head ? [head] : []), ...placed].slice(0, MOST_LIGHTS);
}

function placedLight(light: GlLight, position: Vec, direction: Vec, shadows: boolean): PlacedLight {
  const cone = !light.directional && light.cutoffDeg <= 90;
  return {
    ...light,
    castShadow: light.castShadow && shadows,
    position,
    direction,
    cosCutoff: cone ? Math.cos((light.cutoffDeg * Math.PI) / 180) : -1,
  };
}

/**
 * OpenGL's light of one vertex: adds the light's ambient, diffuse and specular part for a material at (px, py, pz) with
 * the unit normal (nx, ny, nz), seen from `eye`, to `out` (three numbers from `at` on).
 */
export function addLight(
  light: PlacedLight,
  { rgba, specular, shininess }: Pick<GlMaterial, "rgba" | "specular" | "shininess">,
  px: number,
  py: number,
  pz: number,
  nx: number,
  ny: number,
  nz: number,
  eye: Vec,
  out: Float32Array,
  at: number,
): void {
  const { direction, ambient, diffuse, specular: glint } = light;
  let lx = -direction[0];
  let ly = -direction[1];
  let lz = -direction[2];
  let strength = 1;
  if (!light.directional) {
    lx = light.position[0] - px;
    ly = light.position[1] - py;
    lz = light.position[2] - pz;
    const distance = Math.sqrt(lx * lx + ly * ly + lz * lz) || 1e-9;
    lx /= distance;
    ly /= distance;
    lz /= distance;
    const [k0, k1, k2] = light.attenuation;
    strength = 1 / (k0 + k1 * distance + k2 * distance * distance);
    if (light.cosCutoff > -1) {
      const along = -(lx * direction[0] + ly * direction[1] + lz * direction[2]);
      if (along < light.cosCutoff) return;
      if (light.exponent > 0) strength *= along ** light.exponent;
    }
  }
  const facing = nx * lx + ny * ly + nz * lz;
  const lit = Math.max(facing, 0);
  let shine = 0;
  if (facing > 0 && specular > 0) {
    const ex = eye[0] - px;
    const ey = eye[1] - py;
    const ez = eye[2] - pz;
    const distance = Math.sqrt(ex * ex + ey * ey + ez * ez) || 1e-9;
    const hx = lx + ex / distance;
    const hy = ly + ey / distance;
    const hz = lz + ez / distance;
    const length = Math.sqrt(hx * hx + hy * hy + hz * hz) || 1e-9;
    const along = (nx * hx + ny * hy + nz * hz) / length;
    if (along > 0) shine = specular * along ** (128 * shininess);
  }
  out[at] =
    (out[at] as number) + strength * (rgba[0] * (ambient[0] + lit * diffuse[0]) + shine * glint[0]);
  out[at + 1] =
    (out[at + 1] as number) +
    strength * (rgba[1] * (ambient[1] + lit * diffuse[1]) + shine * glint[1]);
  out[at + 2] =
    (out[at + 2] as number) +
    strength * (rgba[2] * (ambient[2] + lit * diffuse[2]) + shine * glint[2]);
}

import type { Random } from "../../../../core/math/random.js";
import type { Vec3 } from "../../../../core/math/vec3.js";
import type { Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { bar, cone, lathe } from "../mesh/round.js";
import { normalOf } from "../mesh/shapes.js";
import { type Piece, piece } from "./piece.js";

/** A leaf bent in the middle: two quadrilaterals and a tip, brighter towards its end. */
function leaf(b: MeshBuilder, surface: Surface, from: Vec3, heading: number, size: Leaf): void {
  const [c, s] = [Math.cos(heading), Math.sin(heading)];
  const at = (out: number, side: number, up: number): Vec3 => [
    from[0] + c * out - s * side,
    from[1] + up,
    from[2] + s * out + c * side,
  ];
  const { long, wide, rise, droop } = size;
  const spine = [
    [0, wide * 0.25, 0],
    [long * 0.4, wide * 0.5, rise * 0.85],
    [long * 0.75, wide * 0.4, rise],
    [long, 0.004, rise - droop],
  ] as const;
  const left = spine.map(([out, side, up]) => at(out, side, up));
  const right = spine.map(([out, side, up]) => at(out, 0 - side, up));
  for (let i = 0; i < spine.length - 1; i++) {
    const [p, q, r, t] = [left[i], right[i], right[i + 1], left[i + 1]];
    if (!p || !q || !r || !t) continue;
    const n = normalOf(p, t, q);
    const up: Vec3 = n[1] < 0 ? [0 - n[0], 0 - n[1], 0 - n[2]] : n;
    const [dark, light] = [0.72 + 0.1 * i, 0.82 + 0.1 * i];
    const [a, e] = [b.vertex(surface, p, up, 0, 0, dark), b.vertex(surface, q, up, 0, 0, dark)];
    const [f, g] = [b.vertex(surface, r, up, 0, 0, light), b.vertex(surface, t, up, 0, 0, light)];
    b.triangle(surface, a, g, e);
    b.triangle(surface, e, g, f);
  }
}

interface Leaf {
  readonly long: number;
  readonly wide: number;
  readonly rise: number;
  readonly droop: number;
}

function pot(b: MeshBuilder, surface: Surface, soil: Surface, r: number, h: number): void {
  lathe(b, surface, { segments: 14 }, [
    [r * 0.75, 0],
    [r, h],
    [r * 0.9, h],
    [r * 0.85, h - 0.03],
  ]);
  cone(b, soil, [r * 0.87, h - 0.03], [0, h - 0.03], { segments: 14 });
}

const GREENS = ["#4f8f3f", "#3d7a45", "#6a9c48", "#2f6b3c"];
const POTS = ["#b5654a", "#e4e0d8", "#4a5560", "#c9a26a", "#6f8f8c"];

type Kind = "bush" | "palm" | "blades";

export function plant(random: Random, look: Look): Piece {
  const kind = random.pick<Kind>(["bush", "palm", "blades"]);
  const green = look.paint.surface("leaf", random.pick(GREENS), { doubleSided: true });
  const clay = look.paint.plain(random.pick(POTS));
  const h = kind === "palm" ? 1.5 + 0.3 * random.uniform() : 0.95 + 0.35 * random.uniform();
  return potted(random, look, kind, green, clay, 0.17, 0.32, h);
}

/** A small plant for tables and sills. */
export function smallPlant(random: Random, look: Look): Piece {
  const green = look.paint.surface("leaf", random.pick(GREENS), { doubleSided: true });
  const clay = look.paint.plain(random.pick(POTS));
  const kind = random.pick<Kind>(["bush", "blades"]);
  return potted(random, look, kind, green, clay, 0.075, 0.12, 0.36);
}

function potted(
  random: Random,
  look: Look,
  kind: Kind,
  green: Surface,
  clay: Surface,
  r: number,
  deep: number,
  h: number,
): Piece {
  const big = h > 0.6;
  const count = kind === "bush" ? (big ? 44 : 20) : kind === "palm" ? 16 : 12;
  const drawn = Array.from(
    { length: count },
    () => [random.uniform(), random.uniform(), random.uniform()] as const,
  );
  const reach = big ? 0.3 : 0.13;
  const across = big ? 0.64 : 0.28;
  return piece("plant", { w: across, d: across, h, shadow: 0.26 }, (b) => {
    pot(b, clay, look.paint.plain("#4a3a2c"), r, deep);
    const stem = look.paint.plain("#7a6244");
    const crown = h - (kind === "palm" ? 0.22 : 0);
    if (kind !== "blades" && big) {
      const [top, thick] = kind === "palm" ? [crown, 0.05] : [h * 0.7, 0.03];
      bar(b, stem, [0, deep - 0.03, 0], [0.02, top, 0.01], thick);
    }
    for (const [i, [u, v, t]] of drawn.entries()) {
      const heading = 2 * Math.PI * (i / count + 0.12 * u) * (kind === "bush" ? 5 : 1);
      if (kind === "palm") {
        leaf(b, green, [0.02, crown - 0.1 * t, 0.01], heading, {
          long: reach * (0.75 + 0.25 * v),
          wide: 0.09,
          rise: 0.22 * u + 0.08,
          droop: 0.3,
        });
      } else if (kind === "blades") {
        const [x, z] = [0.05 * r * Math.cos(heading), 0.05 * r * Math.sin(heading)];
        leaf(b, green, [x, deep - 0.03, z], heading, {
          long: reach * (0.25 + 0.5 * t),
          wide: r * 0.55,
          rise: (h - deep) * (0.65 + 0.35 * v),
          droop: 0,
        });
      } else {
        const y = deep + (h - deep) * (0.18 + 0.72 * (i / count));
        const long = reach * (1 - 0.55 * Math.abs((i / count) * 2 - 0.75)) * (0.7 + 0.3 * v);
        leaf(b, green, [0.01, y, 0], heading, {
          long,
          wide: long * 0.45,
          rise: 0.1 * h * t,
          droop: 0.1 * h,
        });
      }
    }
  });
}

import type { Look } from "../look.js";
import type { MeshBuilder } from "../mesh/builder.js";
import { box, upright } from "../mesh/shapes.js";
import { HALF_WALL_M, type Opening } from "../plan/types.js";
import { outside } from "../textures/outside.js";

const FRAME_M = 0.05;

/** Frame, panes, sill and a painted view behind, in the opening's own axes. */
export function buildWindow(b: MeshBuilder, look: Look, opening: Opening, part: number): void {
  const half = (opening.to - opening.from) / 2;
  const [low, high] = [opening.bottomM, opening.topM];
  const [z0, z1] = [-0.08, -0.03];
  const view = look.paint.surface(`outside_${look.view}`, "#ffffff", {
    texture: outside(look.view),
    unlit: true,
    doubleSided: true,
  });
  // Adjacent windows show adjacent parts of one view; about 2.4 m of it fill the image.
  const shift = (part * 0.37) % 1;
  const [u0, u1] = [shift, shift + (2 * half) / 2.4];
  const [v0, v1] = [1 - (high - 0.2) / 2.2, 1 - (low - 0.2) / 2.2];
  upright(b, view, [-half, z0], [half, z0], [low, high], { u: [u0, u1], v: [v0, v1] });
  const bar = (x0: number, y0: number, x1: number, y1: number) =>
    box(b, look.trim, [x0, y0, z0], [x1, y1, z1], { back: false });
  bar(-half, low, -half + FRAME_M, high);
  bar(half - FRAME_M, low, half, high);
  bar(-half + FRAME_M, low, half - FRAME_M, low + FRAME_M);
  bar(-half + FRAME_M, high - FRAME_M, half - FRAME_M, high);
  const panes = Math.max(1, Math.round((2 * half) / 0.75));
  for (let i = 1; i < panes; i++) {
    const x = -half + (2 * half * i) / panes;
    bar(x - FRAME_M / 2, low + FRAME_M, x + FRAME_M / 2, high - FRAME_M);
  }
  box(b, look.trim, [-half - 0.05, low - 0.035, -0.03], [half + 0.05, low, HALF_WALL_M + 0.08]);
}

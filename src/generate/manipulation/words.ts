import type { Vec3 } from "../../core/math/vec3.js";
import type { Stage } from "./stage.js";

/** Which part of the table a place is in, as the robot sees it: it looks along +x, left is +y. */
function sideOfTable([, y]: Vec3, { table, objectY }: Stage): "left" | "middle" | "right" {
  const third = (objectY[1] - objectY[0]) / 6;
  const off = y - table.position[1];
  if (off > third) return "left";
  return off < -third ? "right" : "middle";
}

const PLACES = {
  left: "on the left side of the table",
  middle: "in the middle of the table",
  right: "on the right side of the table",
} as const;

export function putWords(object: string, place: Vec3, stage: Stage): string {
  return `Pick up the ${object} and put it ${PLACES[sideOfTable(place, stage)]}.`;
}

export function stackWords(object: string, base: string): string {
  return `Pick up the ${object} and put it on top of the ${base}.`;
}

export function openWords(kind: "drawer" | "door"): string {
  return kind === "drawer" ? "Pull the drawer open." : "Open the door of the cabinet.";
}

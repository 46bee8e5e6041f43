import {
  CircleGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
} from "three";
import { MARK, ROBOT } from "./palette.js";

/** The fan on the floor that shows the robot's heading; it is not the camera's field of view. */
const FAN = { angle: (79 * Math.PI) / 180, length: 1.3 };

/** A small wheeled robot that faces -z, with its base at the origin; 0.36 m wide and 0.9 m high. */
export function makeRobot(color: string | null): Group {
  const accent = color ?? MARK.pathLast;
  const group = new Group();
  group.add(
    at(solid(new CylinderGeometry(0.18, 0.19, 0.12, 32), ROBOT.base), 0.08),
    at(solid(new CylinderGeometry(0.13, 0.17, 0.36, 32), color ?? ROBOT.body), 0.32),
    at(solid(new CylinderGeometry(0.175, 0.175, 0.03, 32), accent), 0.15),
    at(solid(new CylinderGeometry(0.035, 0.05, 0.24, 16), ROBOT.base), 0.6),
    at(solid(new SphereGeometry(0.12, 28, 20).scale(1, 0.85, 0.95), color ?? ROBOT.body), 0.78),
    visor(),
    fan(accent),
  );
  return group;
}

function visor(): Mesh {
  // A slice of a sphere slightly larger than the head: the dark visor.
  const glass = new SphereGeometry(0.125, 24, 8, Math.PI * 1.2, Math.PI * 0.6, 1.15, 0.75);
  return at(solid(glass.scale(1, 0.85, 1), "#0b1118"), 0.78);
}

function fan(color: string): Mesh {
  const shape = new CircleGeometry(FAN.length, 32, Math.PI / 2 - FAN.angle / 2, FAN.angle);
  const mesh = new Mesh(
    shape.rotateX(-Math.PI / 2),
    new MeshBasicMaterial({
      color,
      transparent: true,
      opacity: 0.28,
      side: DoubleSide,
      depthWrite: false,
    }),
  );
  mesh.renderOrder = 2;
  return at(mesh, 0.045);
}

function solid(geometry: CylinderGeometry | SphereGeometry, color: string): Mesh {
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ color }));
  mesh.castShadow = true;
  return mesh;
}

function at(mesh: Mesh, y: number): Mesh {
  mesh.position.y = y;
  return mesh;
}

import { DataError, show } from "../../../core/errors.js";
import { aboutAxis } from "../../../core/math/quat-wxyz.js";
import { scanMjcf } from "../../../core/mjcf/scan.js";
import { compose, IDENTITY, multiply, type Transform } from "../gltf/transform.js";
import type { LinkShape } from "./link-shape.js";

/** A visible shape of a robot or a piece of furniture, in the frame of its root link. */
export interface UrdfVisual {
  readonly transform: Transform;
  readonly shape: UrdfShape;
  /** Red, green, blue and opacity, 0 to 1. */
  readonly color?: readonly number[];
}

type UrdfShape =
  | { readonly kind: "mesh"; readonly file: string; readonly scale: readonly number[] }
  | LinkShape;

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly children: Element[];
}

interface Joint {
  readonly kind: string;
  readonly child: string;
  readonly origin: Transform;
  readonly axis: readonly [number, number, number];
  /** Radians or metres. */
  readonly position: number;
}

/**
 * Reads the visible shapes of a URDF document at a joint pose. Joints that the pose does not name are at 0,
 * as in Bullet, which Habitat uses.
 *
 * @param pose by joint name: radians, or metres for sliding joints
 */
export function readUrdf(
  text: string,
  file: string,
  pose: Readonly<Record<string, number>> | readonly number[] = {},
): UrdfVisual[] {
  const robot = parse(text, file).find(({ tag }) => tag === "robot");
  if (!robot) throw bad(file, "it has no `robot` element");
  const links = new Map(
    named(robot, "link").map((link) => [link.attributes.name ?? "", link] as const),
  );
  const colors = new Map(
    named(robot, "material").map((one) => [one.attributes.name, colorOf(one, file)] as const),
  );
  const below = new Map<string, Joint[]>();
  const children = new Set<string>();
  let movable = 0;
  for (const element of named(robot, "joint")) {
    const parent = first(element, "parent")?.attributes.link ?? "";
    const child = first(element, "child")?.attributes.link ?? "";
    for (const link of [parent, child]) {
      if (!links.has(link)) {
        throw bad(
          `${file}:${element.line}`,
          `a joint connects the link ${show(link)}, which does not exist`,
        );
      }
    }
    if (children.has(child)) {
      throw bad(`${file}:${element.line}`, `the link ${show(child)} is the child of two joints`);
    }
    children.add(child);
    const [x = 1, y = 0, z = 0] = vector(first(element, "axis"), "xyz", 3, file) ?? [];
    const { name = "", type: kind = "fixed" } = element.attributes;
    // A pose without names lists the movable joints in the order of the file.
    const key = Array.isArray(pose) ? String(kind === "fixed" ? -1 : movable++) : name;
    const position = new Map(Object.entries(pose)).get(key) ?? 0;
    const axis: Joint["axis"] = [x, y, z];
    const joint = { kind, child, origin: originOf(element, file), axis, position };
    below.set(parent, [...(below.get(parent) ?? []), joint]);
  }
  const root = [...links.keys()].find((name) => !children.has(name));
  if (root === undefined) throw bad(file, "every link has a parent: its joints form a cycle");

  const visuals: UrdfVisual[] = [];
  const stack = [{ name: root, at: IDENTITY }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const link = links.get(next.name);
    for (const visual of link ? named(link, "visual") : []) {
      const shape = shapeOf(visual, file);
      if (!shape) continue;
      const material = first(visual, "material");
      const color = (material && colorOf(material, file)) ?? colors.get(material?.attributes.name);
      const transform = multiply(next.at, originOf(visual, file));
      visuals.push({ transform, shape, ...(color && { color }) });
    }
    for (const joint of below.get(next.name) ?? []) {
      const at = multiply(next.at, multiply(joint.origin, motionOf(joint)));
      stack.push({ name: joint.child, at });
    }
  }
  return visuals;
}

function motionOf({ kind, axis, position: value }: Joint): Transform {
  if (value === 0 || kind === "fixed" || kind === "floating" || kind === "planar") return IDENTITY;
  const length = Math.hypot(...axis) || 1;
  const [x, y, z] = [axis[0] / length, axis[1] / length, axis[2] / length];
  if (kind === "prismatic") return compose([x * value, y * value, z * value]);
  const [w, qx, qy, qz] = aboutAxis([x, y, z], value);
  return compose([], [qx, qy, qz, w]);
}

function shapeOf(visual: Element, file: string): UrdfShape | undefined {
  const geometry = first(visual, "geometry");
  const found = geometry?.children[0];
  if (!found) return undefined;
  const size = (key: string): number => {
    const [value = 0] = vector(found, key, 1, file) ?? [];
    if (value > 0) return value;
    throw bad(`${file}:${found.line}`, `\`${key}\` of a ${found.tag} must be above 0`);
  };
  switch (found.tag) {
    case "mesh": {
      const name = found.attributes.filename;
      if (!name) throw bad(`${file}:${found.line}`, "a mesh has no `filename`");
      return { kind: "mesh", file: name, scale: vector(found, "scale", 3, file) ?? [1, 1, 1] };
    }
    case "box": {
      const [x = 0, y = 0, z = 0] = vector(found, "size", 3, file) ?? [];
      return { kind: "box", size: [x / 2, y / 2, z / 2] };
    }
    case "sphere":
      return { kind: "sphere", size: [size("radius"), 0, 0] };
    case "cylinder":
    case "capsule":
      return { kind: found.tag, size: [size("radius"), size("length") / 2, 0] };
    default:
      return undefined;
  }
}

/** URDF's roll, pitch and yaw are rotations about the fixed axes x, y and z in this order. */
function originOf(element: Element, file: string): Transform {
  const origin = first(element, "origin");
  const [r = 0, p = 0, y = 0] = vector(origin, "rpy", 3, file) ?? [];
  const turn = (axis: readonly [number, number, number], angle: number): Transform => {
    const [w, qx, qy, qz] = aboutAxis(axis, angle);
    return compose([], [qx, qy, qz, w]);
  };
  const rotation = multiply(turn([0, 0, 1], y), multiply(turn([0, 1, 0], p), turn([1, 0, 0], r)));
  return multiply(compose(vector(origin, "xyz", 3, file)), rotation);
}

function colorOf(material: Element, file: string): readonly number[] | undefined {
  return vector(first(material, "color"), "rgba", 4, file);
}

function vector(
  element: Element | undefined,
  key: string,
  count: number,
  file: string,
): number[] | undefined {
  const text = element?.attributes[key];
  if (element === undefined || text === undefined) return undefined;
  const values = text.trim().split(/\s+/).map(Number);
  if (values.length === count && values.every(Number.isFinite)) return values;
  throw bad(
    `${file}:${element.line}`,
    `\`${key}\` must be ${count} numbers; received ${show(text)}`,
  );
}

function named(element: Element, tag: string): Element[] {
  return element.children.filter((child) => child.tag === tag);
}

function first(element: Element | undefined, tag: string): Element | undefined {
  return element?.children.find((child) => child.tag === tag);
}

function parse(text: string, file: string): Element[] {
  const top: Element = { tag: "", attributes: {}, line: 1, children: [] };
  const open = [top];
  for (const { tag, kind, attributes, line } of scanMjcf(text)) {
    const parent = open.at(-1) ?? top;
    if (kind === "close") {
      if (parent.tag !== tag) throw bad(`${file}:${line}`, `</${tag}> closes no open element`);
      open.pop();
      continue;
    }
    const element: Element = { tag, attributes, line, children: [] };
    parent.children.push(element);
    if (kind === "open") open.push(element);
  }
  const unclosed = open.at(-1);
  if (unclosed && unclosed !== top) {
    throw bad(`${file}:${unclosed.line}`, `<${unclosed.tag}> is not closed: the file is truncated`);
  }
  return top.children;
}

function bad(where: string, why: string): DataError {
  return new DataError("bad_urdf", `not a readable URDF file: ${why}`, {
    where,
    hint: "check it with `check_urdf`, or export or download it again",
  });
}

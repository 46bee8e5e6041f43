import type { JsonSchema } from "./json-schema.js";

/**
 * Schemas of the messages that Foxglove recognises by name (docs.foxglove.dev, "Foxglove schemas"). Only the
 * fields matter, so descriptions and optional fields are omitted.
 */

const number = { type: "number" };
const count = { type: "integer", minimum: 0 };
const text = { type: "string" };
const flag = { type: "boolean" };

/** All fields are required, as in Foxglove's own schemas. */
function object(properties: Readonly<Record<string, JsonSchema>>, title?: string): JsonSchema {
  const required = Object.keys(properties);
  return { ...(title === undefined ? {} : { title }), type: "object", properties, required };
}

function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** Foxglove recognises these two by their titles. */
const nsec = { type: "integer", minimum: 0, maximum: 999_999_999 };
const time = object({ sec: count, nsec }, "time");
const duration = object({ sec: { type: "integer" }, nsec }, "duration");

const vector = object({ x: number, y: number, z: number });
const quaternion = object({ x: number, y: number, z: number, w: number });
const pose = object({ position: vector, orientation: quaternion });
const color = object({ r: number, g: number, b: number, a: number });

const transform = object({
  timestamp: time,
  parent_frame_id: text,
  child_frame_id: text,
  translation: vector,
  rotation: quaternion,
});

const arrow = object({
  pose,
  shaft_length: number,
  shaft_diameter: number,
  head_length: number,
  head_diameter: number,
  color,
});
const solid = object({ pose, size: vector, color });
const cylinder = object({ pose, size: vector, bottom_scale: number, top_scale: number, color });
const line = object({
  type: count,
  pose,
  thickness: number,
  scale_invariant: flag,
  points: list(vector),
  color,
  colors: list(color),
  indices: list(count),
});
const triangles = object({
  pose,
  points: list(vector),
  color,
  colors: list(color),
  indices: list(count),
});
const label = object({
  pose,
  billboard: flag,
  font_size: number,
  scale_invariant: flag,
  color,
  text,
});
const model = object({
  pose,
  scale: vector,
  color,
  override_color: flag,
  url: text,
  media_type: text,
  data: { type: "string", contentEncoding: "base64" },
});

const entity = object({
  timestamp: time,
  frame_id: text,
  id: text,
  lifetime: duration,
  frame_locked: flag,
  metadata: list(object({ key: text, value: text })),
  arrows: list(arrow),
  cubes: list(solid),
  spheres: list(solid),
  cylinders: list(cylinder),
  lines: list(line),
  triangles: list(triangles),
  texts: list(label),
  models: list(model),
});
const deletion = object({ timestamp: time, type: count, id: text });

export const FOXGLOVE_SCHEMAS = {
  "foxglove.FrameTransforms": object({ transforms: list(transform) }, "foxglove.FrameTransforms"),
  "foxglove.PoseInFrame": object({ timestamp: time, frame_id: text, pose }, "foxglove.PoseInFrame"),
  "foxglove.SceneUpdate": object(
    { deletions: list(deletion), entities: list(entity) },
    "foxglove.SceneUpdate",
  ),
  "foxglove.Log": object(
    { timestamp: time, level: count, message: text, name: text, file: text, line: count },
    "foxglove.Log",
  ),
} as const satisfies Record<string, JsonSchema>;

import { createHash } from "node:crypto";
import { z } from "zod";
import type { ModelCache } from "../physics/model/cache.js";
import { isSlow, modelKey } from "../physics/model/compile.js";
import type { ModelInspector } from "../physics/model/inspect.js";
import { loadMujoco } from "../physics/mujoco.js";
import { ELEMENT_KINDS, type ElementKind } from "../physics/names.js";
import { Physics } from "../physics/physics.js";
import { OBJECT_SHAPES } from "../world/world.js";
import type { MjcfFiles } from "./files.js";

/** Version of cached inspections. Increase it when they are to contain something else. */
const VERSION = 1;

const number = z.number();
const vector = z.tuple([number, number, number]).readonly();

/** What the elements of a compiled model are, by kind and name. */
const inspection = z.object({
  timestepS: number,
  names: z.record(z.enum(ELEMENT_KINDS), z.array(z.string())),
  bodies: z.record(
    z.string(),
    z.object({
      pose: z.object({
        position: vector,
        rotation_wxyz: z.tuple([number, number, number, number]).readonly(),
      }),
      isFree: z.boolean(),
      massKg: number,
      friction: number,
      bounds: z.object({ sizeM: vector, centreM: vector, shape: z.enum(OBJECT_SHAPES) }).optional(),
    }),
  ),
  joints: z.record(
    z.string(),
    z.object({
      type: z.enum(["free", "ball", "slide", "hinge"]),
      range: z.tuple([number, number]).readonly().optional(),
    }),
  ),
  frictions: z.record(z.string(), number),
});

type Inspection = z.output<typeof inspection>;

/** Compiles a model and reads its elements. A large model is compiled once only, if there is a cache. */
export async function inspectModel(
  { main, files }: MjcfFiles,
  path: string,
  cache: ModelCache | undefined,
): Promise<Inspection> {
  const xml = { path: main };
  const used = isSlow(files) ? cache : undefined;
  const key = used && keyOf(modelKey(await loadMujoco(), xml, files));
  const known = key === undefined ? undefined : read(used?.read(key));
  if (known) return known;
  const physics = await Physics.create(xml, { files, where: path });
  try {
    const result = inspected(physics);
    if (key !== undefined) used?.write(key, new TextEncoder().encode(JSON.stringify(result)));
    return result;
  } finally {
    physics.dispose();
  }
}

function inspected(physics: Physics): Inspection {
  const inspector = physics.inspect();
  const read = <T>(kind: ElementKind, of: (all: ModelInspector, name: string) => T) =>
    Object.fromEntries(physics.names(kind).map((name) => [name, of(inspector, name)]));
  const names = (kind: ElementKind) => [...physics.names(kind)];
  return {
    timestepS: physics.timestepS,
    names: {
      joint: names("joint"),
      body: names("body"),
      geom: names("geom"),
      site: names("site"),
      actuator: names("actuator"),
      camera: names("camera"),
    },
    bodies: read("body", (all, name) => all.body(name)),
    joints: read("joint", (all, name) => all.joint(name)),
    frictions: read("geom", (all, name) => all.friction(name)),
  };
}

function keyOf(model: string): string {
  return createHash("sha256").update(`inspection ${VERSION} ${model}`).digest("hex");
}

function read(bytes: Uint8Array | undefined): Inspection | undefined {
  if (!bytes) return undefined;
  try {
    return inspection.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

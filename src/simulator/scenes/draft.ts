import type { Vec3 } from "../../core/math/vec3.js";
import { type Bounds, boundsOf, joinBounds } from "./geometry.js";
import { multiply, type Transform } from "./gltf/transform.js";
import type {
  Material,
  SceneDoor,
  SceneInstance,
  SceneModel,
  ScenePart,
  SceneRoom,
} from "./model.js";

/** The content of a scene file in the file's own axes, before the up axis is determined. */
export interface SceneDraft {
  /** `instance` is an index into `instances` of this draft. */
  readonly parts: readonly ScenePart[];
  readonly instances: readonly DraftInstance[];
  /** The first instance is the building, as in files that this program wrote. */
  readonly hasBuilding?: boolean;
  /** The file is known to be in Habitat's axes. */
  readonly isUpright?: boolean;
  /** How the axes of a scene instance's stage were determined. */
  readonly orientation?: SceneAxes;
  /** The file of a scene instance's stage, which may have annotations, and the transform of its parts. Other instances are placed objects. */
  readonly stage?: { readonly file: string; readonly transform: Transform | undefined };
  readonly rooms?: readonly SceneRoom[];
  readonly doors?: readonly SceneDoor[];
  /** What was ignored or guessed, as sentences for users. */
  readonly warnings: readonly string[];
  /** Every file that was read, the scene's own first. */
  readonly files: readonly string[];
  /** Files that were used to find or describe those; copy them together with the scene. */
  readonly guides?: readonly string[];
}

/** The axes of a scene's file, and what determined them. */
export interface SceneAxes {
  readonly up: Vec3;
  readonly front: Vec3;
  readonly because: "stage_config" | "scan_dataset" | "gltf" | "navmesh";
  /** The configuration that determined them. */
  readonly config?: string;
}

export interface DraftInstance {
  readonly name: string;
  readonly category: string;
  readonly room?: string;
  /** Bounds from the file; otherwise they are computed. */
  readonly bounds?: Bounds;
}

/** Instance images have 16 bits per pixel. */
const MAX_INSTANCES = 0xffff;

/** Rotates the draft into Habitat's axes and adds the building, bounding boxes and unique names. */
export function finishDraft(
  id: string,
  draft: SceneDraft,
  rotation: Transform | undefined,
): SceneModel & { warnings: string[] } {
  const warnings = [...draft.warnings];
  const turned = rotation ? draft.parts.map((part) => turn(part, rotation)) : draft.parts;
  const { drafts, parts } = withBuilding(turned, draft, warnings);
  const boxes = measure(parts, drafts.length);
  const whole = boundsOf(parts);
  const names = new Set<string>();
  const instances = drafts.map(({ name, category, room, bounds }, i): SceneInstance => {
    const box = bounds ?? (i === 0 ? whole : (boxes[i] ?? { min: [0, 0, 0], max: [0, 0, 0] }));
    return { name: uniqueName(name, names), category, ...box, ...(room && { room }) };
  });
  return { id, parts, instances, rooms: draft.rooms ?? [], doors: draft.doors ?? [], warnings };
}

/** Applies a transform on top of the part's own. */
export function turn(part: ScenePart, by: Transform): ScenePart {
  return { ...part, transform: part.transform ? multiply(by, part.transform) : by };
}

/** Drawn without lights: scans, whose textures already contain the light, and stages that ask for it. */
export function unlit(draft: SceneDraft): SceneDraft {
  const made = new Map<Material, Material>();
  const parts = draft.parts.map((part) => {
    const material = made.get(part.material) ?? { ...part.material, unlit: true };
    made.set(part.material, material);
    return { ...part, material };
  });
  return { ...draft, parts };
}

function withBuilding(parts: readonly ScenePart[], draft: SceneDraft, warnings: string[]) {
  if (draft.hasBuilding) return { drafts: draft.instances, parts };
  const building: DraftInstance = { name: "building", category: "unknown" };
  // A single instance without a category is the building itself: a scan or a level.
  const [only, second] = draft.instances;
  if (only?.category === "unknown" && !second) {
    return { drafts: [{ ...building, name: only.name }], parts };
  }
  const kept = draft.instances.slice(0, MAX_INSTANCES);
  const lost = draft.instances.length - kept.length;
  if (lost > 0) {
    warnings.push(
      `${draft.instances.length} instances exceed the ${MAX_INSTANCES} that a semantic image ` +
        `can number: the last ${lost} are numbered as the building`,
    );
  }
  const renumbered = parts.map((part) => ({
    ...part,
    instance: part.instance < kept.length ? part.instance + 1 : 0,
  }));
  return { drafts: [building, ...kept], parts: renumbered };
}

function measure(parts: readonly ScenePart[], count: number): (Bounds | undefined)[] {
  const boxes: (Bounds | undefined)[] = new Array(count).fill(undefined);
  for (const part of parts) {
    const box = boundsOf([part]);
    const known = boxes[part.instance];
    boxes[part.instance] = known ? joinBounds(known, box) : box;
  }
  return boxes;
}

function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted || "unnamed";
  for (let n = 2; taken.has(name); n++) name = `${wanted || "unnamed"}_${n}`;
  taken.add(name);
  return name;
}

import { type Bounds, boundsOf, joinBounds } from "./geometry.js";
import type { SceneDoor, SceneInstance, SceneModel, ScenePart, SceneRoom } from "./model.js";
import { multiply, type Transform } from "./transform.js";

/** What a scene file says, in the file's own axes, before anybody decided which way is up. */
export interface SceneDraft {
  /** `instance` counts in `instances` here. */
  readonly parts: readonly ScenePart[];
  readonly instances: readonly DraftInstance[];
  /** The first instance is the building already: so in files that this program wrote. */
  readonly hasBuilding?: boolean;
  /** It is in Habitat's axes for certain, and nothing is to be decided. */
  readonly isUpright?: boolean;
  readonly rooms?: readonly SceneRoom[];
  readonly doors?: readonly SceneDoor[];
  /** What was left out or guessed, in sentences for people. */
  readonly warnings: readonly string[];
  /** Every file that was read for it, the scene's own first. */
  readonly files: readonly string[];
  /** Files that said where those are, or what is in them: whoever takes the scene elsewhere needs them too. */
  readonly guides?: readonly string[];
}

export interface DraftInstance {
  readonly name: string;
  readonly category: string;
  readonly room?: string;
  /** Where the file says so; else measured. */
  readonly bounds?: Bounds;
}

/** Pictures of instances are 16 bits deep. */
const MOST_INSTANCES = 0xffff;

/** The draft turned by `rotation` into Habitat's axes, with its building, its boxes and unique names. */
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

function turn(part: ScenePart, rotation: Transform): ScenePart {
  return {
    ...part,
    transform: part.transform ? multiply(rotation, part.transform) : rotation,
  };
}

function withBuilding(parts: readonly ScenePart[], draft: SceneDraft, warnings: string[]) {
  if (draft.hasBuilding) return { drafts: draft.instances, parts };
  const building: DraftInstance = { name: "building", category: "unknown" };
  // One thing without a kind is not a thing in a building, it is the building: a scan, a level.
  const [only, second] = draft.instances;
  if (only?.category === "unknown" && !second) {
    return { drafts: [{ ...building, name: only.name }], parts };
  }
  const kept = draft.instances.slice(0, MOST_INSTANCES);
  const lost = draft.instances.length - kept.length;
  if (lost > 0) {
    warnings.push(
      `${draft.instances.length} instances are more than the ${MOST_INSTANCES} that a semantic picture ` +
        `can number: the last ${lost} count as the building`,
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

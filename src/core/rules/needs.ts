/** Groups of an object's facts: pose and size, velocities, finger forces, contact with the fingers, with the robot, with other things. */
export type ObjectAspect =
  | "pose"
  | "motion"
  | "fingers"
  | "finger_contact"
  | "robot_contact"
  | "touches";
/** Groups of a fixture's facts: opening and its speed, finger forces, distance to the handle. */
export type FixtureAspect = "opening" | "fingers" | "reach";

/** A fact that a predicate reads. */
export type Need =
  | { readonly object: string; readonly aspect: ObjectAspect }
  | { readonly fixture: string; readonly aspect: FixtureAspect }
  | { readonly joint: string }
  | { readonly contact: readonly [string, string] }
  | { readonly seen: string; readonly camera: string }
  | { readonly view: string; readonly camera: string }
  | { readonly robot: true }
  | { readonly collisions: true }
  | { readonly reported: true }
  /** Facts of a plugin, under this key. */
  | { readonly custom: string };

/** The facts that a simulator records at every step. */
export interface FactNeeds {
  readonly objects: ReadonlyMap<string, ReadonlySet<ObjectAspect>>;
  readonly fixtures: ReadonlyMap<string, ReadonlySet<FixtureAspect>>;
  readonly joints: ReadonlySet<string>;
  readonly contacts: readonly (readonly [string, string])[];
  /** Objects whose visibility is recorded, keyed by camera. */
  readonly seen: ReadonlyMap<string, ReadonlySet<string>>;
  /** Objects of which it is recorded how much is seen, keyed by camera. */
  readonly views: ReadonlyMap<string, ReadonlySet<string>>;
  readonly robot: boolean;
  readonly collisions: boolean;
  readonly custom: ReadonlySet<string>;
  /** Whether the rule only reads the simulator's own success check and flags. */
  readonly onlyReported: boolean;
}

export function mergeNeeds(needs: readonly Need[]): FactNeeds {
  const objects = new Map<string, Set<ObjectAspect>>();
  const fixtures = new Map<string, Set<FixtureAspect>>();
  const contacts = new Map<string, readonly [string, string]>();
  const seen = new Map<string, Set<string>>();
  const views = new Map<string, Set<string>>();
  const joints = new Set<string>();
  const custom = new Set<string>();
  for (const need of needs) {
    if ("object" in need) addTo(objects, need.object, need.aspect);
    else if ("fixture" in need) addTo(fixtures, need.fixture, need.aspect);
    else if ("joint" in need) joints.add(need.joint);
    else if ("contact" in need) {
      contacts.set([...need.contact].sort().join("\n"), need.contact);
      for (const name of need.contact) addTo(objects, name, "pose");
    } else if ("seen" in need) {
      addTo(seen, need.camera, need.seen);
      addTo(objects, need.seen, "pose");
    } else if ("view" in need) {
      addTo(views, need.camera, need.view);
      addTo(objects, need.view, "pose");
    } else if ("custom" in need) custom.add(need.custom);
  }
  return {
    objects,
    fixtures,
    joints,
    contacts: [...contacts.values()],
    seen,
    views,
    robot: needs.some((need) => "robot" in need),
    collisions: needs.some((need) => "collisions" in need),
    custom,
    onlyReported: needs.every((need) => "reported" in need),
  };
}

function addTo<V>(map: Map<string, Set<V>>, name: string, value: V): void {
  const known = map.get(name);
  if (known) known.add(value);
  else map.set(name, new Set([value]));
}

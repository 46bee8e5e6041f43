import { DataError } from "../errors.js";
import type { Pose3 } from "../interfaces/manipulation-view.js";
import type { StepState } from "../interfaces/step.js";
import { distance3, type Vec3 } from "../math/vec3.js";
import type { Facts, FixtureFacts, ObjectFacts, ThingFacts, ViewFacts } from "./facts.js";
import { distanceToBox, halfHeight } from "./shape.js";

/** One control step for predicates: the state's poses and the facts. Missing facts cause a DataError. */
export class StepFacts {
  readonly state: StepState;
  readonly facts: Facts;
  readonly #things: Readonly<Record<string, ThingFacts>>;

  constructor(state: StepState, facts: Facts, things: Readonly<Record<string, ThingFacts>>) {
    this.state = state;
    this.facts = facts;
    this.#things = things;
  }

  /** Pose of an object, or of a body that cannot move. */
  pose(object: string): Pose3 {
    return this.state.objects?.[object] ?? this.#fixedPose(object) ?? missing("pose", object);
  }

  sizeM(object: string): Vec3 {
    return this.#things[object]?.size_m ?? missing("size", object);
  }

  kind(fixture: string): string {
    return this.#things[fixture]?.kind ?? missing("kind", fixture);
  }

  /** Height of an object's lowest point. */
  lowestM(object: string): number {
    return this.pose(object).position[2] - this.#halfHeightM(object);
  }

  highestM(object: string): number {
    return this.pose(object).position[2] + this.#halfHeightM(object);
  }

  object<K extends keyof ObjectFacts>(object: string, fact: K): NonNullable<ObjectFacts[K]> {
    return this.facts.objects?.[object]?.[fact] ?? missing(fact, object);
  }

  fixture<K extends keyof FixtureFacts>(fixture: string, fact: K): NonNullable<FixtureFacts[K]> {
    return this.facts.fixtures?.[fixture]?.[fact] ?? missing(fact, fixture);
  }

  /** Position of a joint: metres or radians. */
  joint(joint: string): number {
    return this.facts.joints?.[joint]?.position ?? missing("position", joint);
  }

  /** Share of a joint's range: 0 at its lower end, 1 at its upper. */
  jointShare(joint: string): number {
    const position = this.joint(joint);
    const [low, high] = this.#things[joint]?.range ?? missing("range", joint);
    return (position - low) / (high - low);
  }

  touching(a: string, b: string): boolean {
    const { contacts } = this.facts;
    if (!contacts) return missing("contacts", a);
    return contacts.some((pair) => pair.includes(a) && pair.includes(b));
  }

  isSeen(object: string, camera: string): boolean {
    return (this.facts.seen?.[camera] ?? missing(`view of camera "${camera}"`, object)).includes(
      object,
    );
  }

  view(object: string, camera: string): ViewFacts {
    return this.facts.views?.[camera]?.[object] ?? missing(`view of camera "${camera}"`, object);
  }

  get collisionN(): number {
    return this.facts.collision_n ?? missing("collision forces", "the robot");
  }

  get robotPosition(): Vec3 {
    return this.facts.robot?.position ?? missing("position", "the robot");
  }

  /** Metres from the end effector to an object's centre, or to its bounding box: 0 inside. */
  reachM(object: string, to: "centre" | "box"): number {
    const [x, y, z] = this.state.ee_pose ?? [];
    if (x === undefined || y === undefined || z === undefined) {
      return missing("end-effector pose", "the robot");
    }
    const pose = this.pose(object);
    if (to === "centre") return distance3([x, y, z], pose.position);
    return distanceToBox([x, y, z], pose, this.sizeM(object));
  }

  #fixedPose(name: string): Pose3 | undefined {
    const { position, rotation_wxyz } = this.#things[name] ?? {};
    return position && rotation_wxyz && { position, rotation_wxyz };
  }

  #halfHeightM(object: string): number {
    const { shape } = this.#things[object] ?? missing("shape", object);
    return halfHeight(shape ?? "box", this.sizeM(object), this.pose(object));
  }
}

/** The steps that a predicate may compare: the current, the previous and the first one. */
export interface Moment {
  readonly now: StepFacts;
  /** Undefined at the first step. */
  readonly before: StepFacts | undefined;
  readonly first: StepFacts;
}

function missing(fact: string, name: string): never {
  throw new DataError("missing_facts", `the step records have no ${fact} of "${name}"`, {
    hint: "a run records only the facts that its rule needs; run the benchmark again with this rule",
  });
}

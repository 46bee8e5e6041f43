import { type MjcfElement, mjcf } from "./element.js";

/** The elements that one part of a scene (a robot, an object, a fixture) adds, by MJCF section. */
export interface MjcfFragment {
  readonly default?: readonly MjcfElement[];
  readonly asset?: readonly MjcfElement[];
  readonly worldbody?: readonly MjcfElement[];
  readonly contact?: readonly MjcfElement[];
  readonly equality?: readonly MjcfElement[];
  readonly tendon?: readonly MjcfElement[];
  readonly actuator?: readonly MjcfElement[];
  readonly sensor?: readonly MjcfElement[];
}

const SECTIONS = [
  "default",
  "asset",
  "worldbody",
  "contact",
  "equality",
  "tendon",
  "actuator",
  "sensor",
] as const satisfies readonly (keyof MjcfFragment)[];

/** Joins fragments into a document; `settings` are the elements before them (compiler, option). */
export function joinFragments(
  model: string,
  settings: readonly MjcfElement[],
  fragments: readonly MjcfFragment[],
): MjcfElement {
  const sections = SECTIONS.flatMap((name) => {
    const children = fragments.flatMap((fragment) => fragment[name] ?? []);
    return children.length === 0 ? [] : [mjcf(name, {}, ...children)];
  });
  return mjcf("mujoco", { model }, ...settings, ...sections);
}

import type { BaseEpisode } from "../../../core/episode/base.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { MjcfModel } from "../mjcf/model.js";
import { checkFixture } from "./checks.js";
import { nameIn, sceneFixture } from "./from-scene.js";
import { defaultFixturePlace, FIXTURES } from "./layout.js";
import type { FixtureConfig, WorldConfig } from "./task-config.js";
import type { FixtureSpec, ManipulationWorld } from "./world.js";

/** What may have the fixtures that an episode does not describe. */
interface FixtureSurroundings {
  readonly scene: MjcfModel | undefined;
  /** Drawers of an apartment's furniture. */
  readonly drawers: readonly FixtureSpec[];
}

/** The episode's fixtures. A fixture that only the goals or rules name is taken from the scene file, or made by default. */
export function fixturesOf(
  episode: BaseEpisode,
  config: WorldConfig,
  robot: RobotDescriptor,
  basePose: ManipulationWorld["basePose"],
  { scene, drawers }: FixtureSurroundings,
  ruleFixtures: Iterable<string> = [],
): FixtureSpec[] {
  const configured = config.fixtures?.map((fixture, i) => {
    const spec = fixtureOf(fixture);
    checkFixture(episode, spec, i);
    return spec;
  });
  const target = nameIn(episode.goals.target_fixture);
  if (scene) {
    const names = new Set([...(target === undefined ? [] : [target]), ...ruleFixtures]);
    for (const { name } of configured ?? []) names.delete(name);
    const found = [...names].map((name) => sceneFixture(episode, scene, name));
    return [...(configured ?? []), ...found.filter((fixture) => fixture !== undefined)];
  }
  if (target === undefined || drawers.some(({ name }) => name === target)) return configured ?? [];
  if (configured) return configured;
  const kind = target.includes("door") ? "door" : "drawer";
  return [
    { name: target, kind, opened: 0, ...FIXTURES[kind], ...defaultFixturePlace(robot, basePose) },
  ];
}

function fixtureOf(fixture: FixtureConfig): FixtureSpec {
  const fallback = FIXTURES[fixture.kind];
  const sizeM = fixture.size ?? fallback.sizeM;
  const [x = 0, y = 0, z = sizeM[2] / 2] = fixture.position;
  return {
    name: fixture.name,
    kind: fixture.kind,
    position: [x, y, z],
    yawRad: fixture.yaw,
    sizeM,
    range: fixture.range ?? fallback.range,
    opened: fixture.opened,
    damping: fixture.damping ?? fallback.damping,
    frictionLoss: fixture.friction_loss ?? fallback.frictionLoss,
  };
}

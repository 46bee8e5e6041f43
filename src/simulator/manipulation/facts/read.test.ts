import { afterEach, describe, expect, it } from "vitest";
import { BaseEpisode } from "../../../core/episode/base.js";
import { mergeNeeds, type Need } from "../../../core/rules/needs.js";
import { worldMjcf } from "../mjcf/compose.js";
import { Physics } from "../physics/physics.js";
import type { ManipulationWorld } from "../world/world.js";
import { FactReader } from "./read.js";
import { fixtureSpec, objectSpec, worldWith } from "./world.fixture.js";

const open: Physics[] = [];
afterEach(() => {
  for (const physics of open.splice(0)) physics.dispose();
});

const EPISODE = new BaseEpisode({
  episodeId: "e1",
  taskType: "manipulation",
  sceneId: "tabletop",
  goals: { success_criteria: { rule: { all: [{ released: { object: "uper" } }] } } },
});

/** After some physics steps. */
async function readerOf(
  world: ManipulationWorld,
  needs: readonly Need[],
  steps = 500,
): Promise<FactReader> {
  const physics = await Physics.create(worldMjcf(world));
  open.push(physics);
  physics.step(steps);
  return new FactReader(physics, world, mergeNeeds(needs), EPISODE);
}

/** On the table, whose top is at 0.7 m. */
const UPPER = objectSpec("upper", { position: [0.2, -0.8, 0.85] });
const LOWER = objectSpec("lower", { position: [0.2, -0.8, 0.75] });
const BESIDE = objectSpec("beside", {
  shape: "cup",
  sizeM: [0.06, 0.06, 0.1],
  position: [-0.3, -0.8, 0.75],
});
const DRAWER = fixtureSpec("drawer", { opened: 0.5, position: [1.2, 0, 0.9] });
const ALL = ["pose", "motion", "fingers", "robot_contact"] as const;
const all = (object: string): Need[] => ALL.map((aspect) => ({ object, aspect }));

describe("FactReader", () => {
  it("FactReader reads objects at rest, and which of them touch each other", async () => {
    const reader = await readerOf(worldWith([UPPER, LOWER, BESIDE]), [
      ...["upper", "lower", "beside"].flatMap(all),
      { contact: ["upper", "lower"] },
      { contact: ["upper", "beside"] },
    ]);
    const { objects = {}, contacts, things, format } = reader.read();
    expect(contacts).toEqual([["upper", "lower"]]);
    expect(Object.keys(objects)).toEqual(["upper", "lower", "beside"]);
    for (const facts of Object.values(objects)) {
      expect(facts.speed_mps).toBeLessThan(0.01);
      expect(facts.turn_radps).toBeLessThan(0.5);
      expect(facts).toMatchObject({ fingers_n: [0, 0], robot_touches: false });
    }
    expect(format).toBe("robot-eval-facts/1");
    expect(things?.beside).toEqual({ shape: "cup", size_m: [0.06, 0.06, 0.1] });
  });

  it("FactReader reports constant facts in the first read only", async () => {
    const reader = await readerOf(worldWith([UPPER]), all("upper"), 0);
    expect(Object.keys(reader.read())).toEqual(["format", "things", "objects"]);
    expect(Object.keys(reader.read())).toEqual(["objects"]);
  });

  it("FactReader reads the speed of a falling object", async () => {
    const world = worldWith([objectSpec("ball", { position: [0.2, -0.8, 1.5] })]);
    const reader = await readerOf(world, [{ object: "ball", aspect: "motion" }], 100);
    expect(reader.read().objects?.ball?.speed_mps).toBeCloseTo(9.81 * 0.2, 1);
  });

  it("FactReader reads the opening of a drawer, the distance to its handle, and its joint", async () => {
    const reader = await readerOf(
      worldWith([], [DRAWER]),
      [
        { fixture: "drawer", aspect: "opening" },
        { fixture: "drawer", aspect: "fingers" },
        { fixture: "drawer", aspect: "reach" },
        { joint: "drawer_joint" },
      ],
      10,
    );
    const { fixtures, joints, things } = reader.read();
    expect(fixtures?.drawer?.opened).toBeCloseTo(0.5, 2);
    expect(fixtures?.drawer?.fingers_n).toEqual([0, 0]);
    expect(fixtures?.drawer?.reach_m).toBeGreaterThan(0.3);
    expect(joints?.drawer_joint?.position).toBeCloseTo(0.1, 2);
    expect(things).toMatchObject({ drawer: { kind: "drawer" }, drawer_joint: { range: [0, 0.2] } });
  });

  it("FactReader reads only the facts that the rule needs", async () => {
    const reader = await readerOf(worldWith([UPPER, LOWER], [DRAWER]), [
      { object: "upper", aspect: "pose" },
      { object: "lower", aspect: "fingers" },
    ]);
    const { objects, fixtures, contacts } = reader.read();
    expect(objects).toEqual({ lower: { fingers_n: [0, 0] } });
    expect([fixtures, contacts]).toEqual([undefined, undefined]);
  });

  it("FactReader reads the position of the robot and the objects in the image of its camera", async () => {
    const behind = objectSpec("behind", { position: [0, 3, 0.05] });
    const reader = await readerOf(
      worldWith([UPPER, behind]),
      [{ robot: true }, { seen: "upper", camera: "head" }, { seen: "behind", camera: "head" }],
      0,
    );
    const { robot, seen } = reader.read();
    expect(robot?.position[0]).toBeCloseTo(0, 6);
    expect(seen).toEqual({ head: ["upper"] });
  });

  it.each([
    [{ object: "uper", aspect: "pose" }, 'scene has no object "uper"', 'did you mean "upper"?'],
    [
      { fixture: "drawr", aspect: "opening" },
      'scene has no fixture "drawr"',
      'did you mean "drawer"?',
    ],
    [{ joint: "drawer_jont" }, 'scene has no joint "drawer_jont"', 'did you mean "drawer_joint"?'],
    [{ seen: "upper", camera: "haed" }, 'scene has no camera "haed"', 'did you mean "head"?'],
  ] as [Need, string, string][])(
    "FactReader rejects %j, which the scene does not have",
    async (need, message, hint) => {
      const reading = readerOf(worldWith([UPPER], [DRAWER]), [need], 0);
      await expect(reading).rejects.toThrow(message);
      await expect(reading).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
    },
  );

  it("FactReader names the place of an unknown name in the goals", async () => {
    const need: Need = { object: "uper", aspect: "pose" };
    await expect(readerOf(worldWith([UPPER]), [need], 0)).rejects.toMatchObject({
      where: "episode e1, goals.success_criteria.rule.all[0].released.object",
    });
  });
});

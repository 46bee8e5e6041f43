import { describe, expect, it } from "vitest";
import { Physics } from "./physics.js";

describe("the bodies of a model", () => {
  it("the bodies of a model have unique names", async () => {
    const physics = await Physics.create(
      `<mujoco><worldbody>
        <body pos="0 0 1"><geom size="0.1"/>
          <body name="arm" pos="0 0 1" quat="0 1 0 0"><geom size="0.1"/></body>
        </body>
        <body name="body_1"><geom size="0.1"/></body>
      </worldbody></mujoco>`,
    );
    expect(physics.bodies()).toEqual([
      { name: "world", parent: 0 },
      { name: "body_1_", parent: 0 },
      { name: "arm", parent: 1 },
      { name: "body_1", parent: 0 },
    ]);
    expect(physics.geoms().map(({ body }) => body)).toEqual([1, 2, 3]);
    const { positions, rotations } = physics.bodyPlaces();
    expect([...positions.subarray(6, 9)]).toEqual([0, 0, 2]);
    expect([...rotations.subarray(8, 12)]).toEqual([0, 1, 0, 0]);
    physics.dispose();
    // Names of the model are kept.
    expect(positions[8]).toBe(2);
  });

  it("the bodies of a model own the geoms of the world body that are named after them, if they are fixed and have none", async () => {
    const physics = await Physics.create(
      `<mujoco><worldbody>
        <geom name="floor" type="plane" size="1 1 1"/>
        <geom name="table/0" type="box" size="0.5 0.3 0.02" pos="2 0 0.7" friction="0.3"/>
        <geom name="table/1" type="box" size="0.02 0.02 0.34" pos="2 0 0.34"/>
        <geom name="cup/0" type="box" size="0.1 0.1 0.1" pos="5 0 0.1"/>
        <geom name="other/0" type="box" size="0.1 0.1 0.1" pos="7 0 0.1"/>
        <body name="table" pos="2 0 0"/>
        <body name="cup" pos="2 0 0.75"><freejoint/><geom size="0.03"/></body>
      </worldbody></mujoco>`,
    );
    expect(physics.geoms().map(({ bodyName }) => bodyName)).toEqual([
      ...["world", "table", "table", "world", "world", "cup"],
    ]);
    expect(physics.isFixed("table")).toBe(true);
    const { bounds, friction } = physics.inspect().body("table");
    expect(friction).toBe(0.3);
    expect(bounds?.sizeM).toEqual([1, 0.6, expect.closeTo(0.72, 9)]);
    physics.step(200);
    expect(physics.touching("cup", "table")).toBe(true);
    expect(physics.touching("cup", "world")).toBe(false);
    expect(physics.bodies()[physics.touches("cup")[0]?.body ?? 0]?.name).toBe("table");
    physics.dispose();
  });
});

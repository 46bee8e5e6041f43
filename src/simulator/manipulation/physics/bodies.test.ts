import { describe, expect, it } from "vitest";
import { Physics } from "./physics.js";

describe("the bodies of a model", () => {
  it("have unique names", async () => {
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
});

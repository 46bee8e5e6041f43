import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { tempDir } from "../../../../test/support/tiny-world.js";
import { boxObj, write } from "../foreign.fixture.js";
import { ModelCache } from "../physics/model/cache.js";
import { Physics } from "../physics/physics.js";
import { MjcfLibrary } from "./model.js";

const XML = `<mujoco><asset><mesh file="box.obj"/></asset><worldbody><geom type="plane" size="1 1 1"/>
  <body name="crate" pos="0 0 1"><freejoint/><geom name="hull" type="mesh" mesh="box" mass="2"/>
    <body name="lid"><joint name="hinge" range="0 90"/><geom size="0.1"/></body></body></worldbody></mujoco>`;

describe("a model file that is read with a cache", () => {
  it("a model file that is read with a cache is compiled once, and gives the same elements from the cache", async () => {
    const folder = tempDir();
    write(folder, {
      "box.xml": XML,
      "box.obj": `${`# ${"-".repeat(77)}\n`.repeat(7000)}${boxObj(0.1, 0.2, 0.3)}`,
    });
    const cache = new ModelCache({ folder: join(folder, "cache") });
    const create = vi.spyOn(Physics, "create");
    const read = async (one?: ModelCache) => {
      const model = await new MjcfLibrary(one).model(join(folder, "box.xml"));
      return [
        model.names("geom"),
        model.timestepS,
        model.body("crate"),
        model.body("world"),
        model.joint("hinge"),
        model.friction("hull"),
        model.has("site", "hull"),
      ];
    };
    const first = await read(cache);
    expect(readdirSync(join(folder, "cache"))).toHaveLength(1);
    expect(await read(cache)).toEqual(first);
    expect(create).toHaveBeenCalledTimes(1);
    expect(await read()).toEqual(first);
    expect(create).toHaveBeenCalledTimes(2);
    create.mockRestore();
  });
});

import { describe, expect, it } from "vitest";
import { type MjcfElement, mjcf, mjcfText } from "../../../core/mjcf/element.js";
import { BUILT_IN_ROBOTS } from "../../../robots/catalog.js";
import { Physics } from "../physics/physics.js";
import { worldOf } from "../world/from-episode.js";
import { placeAll } from "../world/place-robot.js";
import { OBJECT_SHAPES } from "../world/world.js";
import { episodeWith } from "../world/world-lab.fixture.js";
import { type ComposeOptions, worldMjcf } from "./compose.js";
import { withoutVisualGeoms } from "./strip-visual.js";

const SEEN = { contype: 0, conaffinity: 0, mass: 0 };

function document(...geoms: readonly MjcfElement[]): MjcfElement {
  return mjcf(
    "mujoco",
    {},
    mjcf("asset", {}, mjcf("mesh", { name: "shell" }), mjcf("mesh", { name: "hull" })),
    mjcf("worldbody", {}, mjcf("body", { name: "thing" }, ...geoms)),
  );
}

describe("withoutVisualGeoms", () => {
  it("withoutVisualGeoms removes visual geoms and the meshes that only they use", () => {
    const felt = mjcf("geom", { type: "mesh", mesh: "hull", mass: 0 });
    const text = mjcfText(
      withoutVisualGeoms(document(felt, mjcf("geom", { ...SEEN, name: "look", mesh: "shell" }))),
    );
    expect(text).toContain('mesh="hull"');
    expect(text).toContain('<mesh name="hull"/>');
    expect(text).not.toContain("shell");
    expect(text).not.toContain("look");
  });

  it.each([
    ["has mass", { ...SEEN, mass: 0.1 }],
    ["has no explicit mass", { contype: 0, conaffinity: 0 }],
    ["has contacts", { ...SEEN, conaffinity: 1 }],
  ])("withoutVisualGeoms keeps a geom that %s", (_, attributes) => {
    const whole = document(mjcf("geom", { ...attributes, mesh: "shell", type: "mesh" }));
    expect(mjcfText(withoutVisualGeoms(whole))).toContain('mesh="shell"');
  });

  it("withoutVisualGeoms keeps a visual geom that another element names or the caller needs", () => {
    const whole = document(mjcf("geom", { ...SEEN, name: "mark" }));
    const measured = mjcf("sensor", {}, mjcf("framepos", { objtype: "geom", objname: "mark" }));
    const used = { ...whole, children: [...whole.children, measured] };
    expect(mjcfText(withoutVisualGeoms(used))).toContain('name="mark"');
    expect(mjcfText(withoutVisualGeoms(whole, ["mark"]))).toContain('name="mark"');
    expect(mjcfText(withoutVisualGeoms(whole))).not.toContain('name="mark"');
  });

  it.each(BUILT_IN_ROBOTS.filter(({ model }) => model))(
    "withoutVisualGeoms does not change the motion of $robotType in the last bit",
    async (robot) => {
      const world = worldOf(
        episodeWith({
          scene_objects: OBJECT_SHAPES.map((shape, i) => ({
            name: shape,
            shape,
            position: [0.45 + 0.12 * (i % 2), -0.3 + 0.12 * i],
          })),
        }),
        robot,
      );
      const run = async (options: ComposeOptions) => {
        const physics = await Physics.create(worldMjcf(world, options));
        placeAll(physics, world);
        // Down and outward, into the objects on the table and into the table.
        for (let k = 0; k < 12; k++) {
          for (const [dof, actuator] of (robot.model?.actuators ?? []).entries()) {
            const [low, high] = robot.dofs[dof]?.limits ?? [0, 0];
            const start = world.joints[dof] ?? 0;
            const goal = (dof + Math.floor(k / 4)) % 2 ? low : high;
            physics.setControl(actuator, start + (goal - start) * 0.4);
          }
          physics.step(25);
        }
        const seen = { hash: physics.hash(), geoms: physics.geoms().length };
        physics.dispose();
        return seen;
      };
      const [drawn, bare] = [await run({}), await run({ drawn: false })];
      expect(bare.hash).toBe(drawn.hash);
      expect(bare.geoms).toBeLessThan(drawn.geoms);
    },
  );
});

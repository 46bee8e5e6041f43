import { describe, expect, it, onTestFinished } from "vitest";
import { Physics } from "../physics.js";

const world = (size: string) => `<mujoco>
  ${size}
  <worldbody><geom type="plane" size="1 1 1"/>
    ${[0, 1, 2, 3].map((i) => `<body pos="0.01 0 ${0.2 + 0.25 * i}"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>`).join("")}
  </worldbody></mujoco>`;

async function created(xml: string, files = {}): Promise<Physics> {
  const physics = await Physics.create(xml, { where: "boxes.xml", files });
  onTestFinished(() => physics.dispose());
  return physics;
}

async function stateAfter(xml: string): Promise<string> {
  const physics = await created(xml);
  physics.step(400);
  expect(physics.diverged()).toBeUndefined();
  return physics.hash();
}

describe("the memory that a model asks for", () => {
  it.each([
    ['<size njmax="5000" nconmax="5000"/>', "1243 MiB"],
    ["<size\n nconmax = '5000'njmax='60000' nkey=\"1\"/>", "178531 MiB"],
    ['<size nstack="400000000"/>', "3052 MiB"],
    ['<size memory="3G"/>', "3072 MiB"],
    ['<size memory="1E"></size>', "1099511627776 MiB"],
  ])(
    "the memory that a model asks for is limited with a note, and the trajectory stays the same: %s",
    async (size, asked) => {
      const physics = await created(world(size));
      expect(physics.notes).toEqual([
        `boxes.xml:2: ${size.replace("</size>", "")} asks for about ${asked} of memory for contacts; it gets 256 MiB`,
      ]);
      expect(await stateAfter(world(size))).toBe(await stateAfter(world("")));
    },
  );

  it.each([
    '<size memory="64M"/>',
    '<size njmax="1000" nconmax="500"/>',
    '<size memory="-1"/>',
    "",
  ])("the memory that a model asks for is not changed if it is small: %s", async (size) => {
    expect((await created(world(size))).notes).toEqual([]);
  });

  it("the memory that a model asks for is limited in included files too", async () => {
    const files = {
      "sizes.xml": new TextEncoder().encode(
        '<mujocoinclude>\n<size njmax="9000"/></mujocoinclude>',
      ),
    };
    const { notes } = await created(world('<include file="sizes.xml"/>'), files);
    expect(notes).toEqual([expect.stringMatching(/^sizes\.xml:2: <size njmax="9000"\/> asks/)]);
  });
});

import { describe, expect, it } from "vitest";
import { contactReader, readBinding } from "./contact-layout.js";
import { loadMujoco } from "./mujoco.js";
import { gripper, pile } from "./scenes.fixture.js";

describe("contacts read from the arena", () => {
  it.each([
    ["a pile", pile()],
    ["a gripper", gripper()],
    ["pyramidal cones", pile().replace("elliptic", "pyramidal")],
  ])("contacts read from the arena equal those of the binding, with %s", async (_, xml) => {
    const mujoco = await loadMujoco();
    const read = contactReader(mujoco);
    expect(read).not.toBe(readBinding);
    const model = mujoco.MjModel.from_xml_string(xml);
    const data = new mujoco.MjData(model);
    let most = 0;
    for (let i = 0; i < 200; i++) {
      mujoco.mj_step(model, data);
      const slow = readBinding(data);
      expect(read(data)).toEqual(slow);
      most = Math.max(most, slow.length);
    }
    expect(most).toBeGreaterThan(3);
    data.delete();
    model.delete();
  });
});

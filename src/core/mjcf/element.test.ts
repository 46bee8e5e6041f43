import { describe, expect, it } from "vitest";
import { mjcf, mjcfText } from "./element.js";
import { joinFragments } from "./fragment.js";

describe("an MJCF document", () => {
  it("mjcfText writes elements and attributes, lists with spaces, and omits undefined attributes", () => {
    const body = mjcf(
      "body",
      { name: "cup", pos: [0.1, -0.2, 1e-7], euler: undefined },
      mjcf("freejoint"),
      mjcf("geom", { type: "box", mass: 0.3, contype: 0, group: true }),
    );
    expect(mjcfText(body)).toBe(
      [
        '<body name="cup" pos="0.1 -0.2 1e-7">',
        "  <freejoint/>",
        '  <geom type="box" mass="0.3" contype="0" group="true"/>',
        "</body>",
      ].join("\n"),
    );
  });

  it("mjcfText escapes markup in attribute values", () => {
    expect(mjcfText(mjcf("a", { b: '<"&>' }))).toBe('<a b="&lt;&quot;&amp;&gt;"/>');
  });

  it("mjcfText rejects NaN and names the element and attribute", () => {
    expect(() => mjcfText(mjcf("geom", { pos: [0, Number.NaN, 0] }))).toThrow("<geom pos>: NaN");
  });

  it("an MJCF document joins the sections of its fragments in the order of MuJoCo", () => {
    const text = mjcfText(
      joinFragments(
        "scene",
        [mjcf("option", { timestep: 0.002 })],
        [
          { actuator: [mjcf("position", { name: "a" })], worldbody: [mjcf("body", { name: "a" })] },
          { worldbody: [mjcf("body", { name: "b" })] },
        ],
      ),
    );
    expect(text).toBe(
      [
        '<mujoco model="scene">',
        '  <option timestep="0.002"/>',
        "  <worldbody>",
        '    <body name="a"/>',
        '    <body name="b"/>',
        "  </worldbody>",
        "  <actuator>",
        '    <position name="a"/>',
        "  </actuator>",
        "</mujoco>",
      ].join("\n"),
    );
  });
});

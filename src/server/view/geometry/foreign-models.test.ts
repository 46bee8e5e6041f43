import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/cli.js";
import { GeometryFolder } from "../../../runs/directory/geometry.js";
import { RunDirectory } from "../../../runs/directory/run-directory.js";
import { withModel } from "./foreign-models.js";

const BODIES = ["a", "b"].map(
  (name, i) => `<body name="${name}" pos="0 0 ${i}"><freejoint/><geom size="2"/></body>`,
);

/** What the dashboard's server sees of a recorded model. */
async function shown(mjcf: string) {
  const run = new RunDirectory(temporaryFolder());
  const geometry = await new GeometryFolder(run.path, () => {}).save({
    ...{ mjcf, files: {}, assets: new Map() },
  });
  return withModel(run, { geometry }, ({ physics }) => {
    const position = physics.body("b").position;
    return { isTouching: physics.touching("a", "b"), position };
  });
}

it.each([
  ["that names no flags", ""],
  ["that enables them itself", '<option><flag contact="enable" constraint="enable"/></option>'],
])(
  "no contacts are computed for a recorded model %s, whose bodies are shown where they are",
  async (_, option) => {
    const text = `<mujoco><worldbody>${BODIES.join("")}</worldbody>${option}</mujoco>`;
    const expected = { isTouching: false, position: [0, 0, 1] };
    expect(await shown(text)).toEqual(expected);
    expect(await shown(`${text}<!-- </mujoco> -->`)).toEqual(expected);
  },
);

it("a recorded model from which MuJoCo would make too much is rejected", async () => {
  const copies = '<replicate count="1000000" offset="1 0 0"><geom size="1"/></replicate>';
  const text = `<mujoco><worldbody>${BODIES.join("")}${copies}</worldbody></mujoco>`;
  await expect(shown(text)).rejects.toMatchObject({ code: "mjcf_too_large" });
});

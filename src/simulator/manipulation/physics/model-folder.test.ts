import { describe, expect, it, onTestFinished } from "vitest";
import { Physics } from "./physics.js";

const XML = `<mujoco><asset><mesh name="m" file="parts/m.obj"/></asset>
  <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="m" mass="1"/></body></worldbody></mujoco>`;

/** A tetrahedron; `padding` only makes the file larger. */
function tetrahedron(size: number, padding: number): Uint8Array {
  const points = [
    [0, 0, 0],
    [size, 0, 0],
    [0, size, 0],
    [0, 0, size],
  ];
  const lines = [
    ...Array(Math.ceil(padding / 80)).fill(`# ${"-".repeat(77)}`),
    ...points.map((point) => `v ${point.join(" ")}`),
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
  ];
  return new TextEncoder().encode(lines.join("\n"));
}

async function positions(size: number, padding: number): Promise<number[]> {
  const files = { "parts/m.obj": tetrahedron(size, padding) };
  const physics = await Physics.create(XML, { files, where: "m.xml" });
  onTestFinished(() => physics.dispose());
  const mesh = physics.geoms()[0]?.mesh;
  if (!mesh) throw new Error("the model has no mesh");
  return [...mesh.positions];
}

const LARGE = 2 ** 20;

describe("the files of a model", () => {
  it("give the same model whether they are small or large", async () => {
    expect(await positions(0.5, LARGE)).toEqual(await positions(0.5, 0));
  });

  it("are not mixed up with files of the same names of an earlier model", async () => {
    const small = await positions(0.1, LARGE);
    const large = await positions(0.2, LARGE);
    for (const [i, x] of large.entries()) expect(x).toBeCloseTo(2 * (small[i] ?? 0), 6);
  });
});

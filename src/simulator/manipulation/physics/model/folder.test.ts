import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loadMujoco } from "../mujoco.js";
import { Physics } from "../physics.js";

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

async function positions(size: number, padding: number, folder = ""): Promise<number[]> {
  const files = { [`${folder}parts/m.obj`]: tetrahedron(size, padding) };
  const xml = XML.replace("parts/", `${folder}parts/`);
  const physics = await Physics.create(xml, { files, where: "m.xml" });
  onTestFinished(() => physics.dispose());
  const mesh = physics.geoms()[0]?.mesh;
  if (!mesh) throw new Error("the model has no mesh");
  return [...mesh.positions];
}

const LARGE = 2 ** 20;

describe("the files of a model", () => {
  it("the files of a model give the same model whether they are small or large", async () => {
    expect(await positions(0.5, LARGE)).toEqual(await positions(0.5, 0));
  });

  it("the files of a model are not mixed up with files of the same names of an earlier model", async () => {
    const small = await positions(0.1, LARGE);
    const large = await positions(0.2, LARGE);
    for (const [i, x] of large.entries()) expect(x).toBeCloseTo(2 * (small[i] ?? 0), 6);
  });

  it("the files of a model are written as files whether their names are relative or absolute, not copied byte by byte", async () => {
    const { MjVFS } = await loadMujoco();
    const copy = vi.spyOn(MjVFS.prototype, "addBuffer");
    onTestFinished(() => copy.mockRestore());
    const relative = await positions(0.3, LARGE);
    expect(await positions(0.3, LARGE, "/home/somebody/robots/")).toEqual(relative);
    expect(copy).not.toHaveBeenCalled();
  });

  it("the files of a model are removed after compiling, with the folders made for them", async () => {
    const { FS } = await loadMujoco();
    const before = [FS.readdir("/"), FS.readdir("/home")];
    await positions(0.3, 0);
    await positions(0.3, 0, "/home/somebody/robots/");
    await expect(
      Physics.create({ path: "/srv/m.xml" }, { files: { "/srv/m.xml": new Uint8Array(9) } }),
    ).rejects.toThrow("MuJoCo cannot compile the model");
    expect([FS.readdir("/"), FS.readdir("/home")]).toEqual(before);
  });
});

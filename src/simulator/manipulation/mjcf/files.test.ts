import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../test/support/tiny-world.js";
import { boxObj, write } from "../foreign.fixture.js";
import { Physics } from "../physics/physics.js";
import { readMjcf, withoutKeyframes } from "./files.js";

const OBJ = boxObj(0.1, 0.1, 0.1);
const model = (body: string, head = "") =>
  `<mujoco>${head}<asset>${body}</asset><worldbody><geom size="1"/></worldbody></mujoco>`;

/** The files that were found, relative to the folder, after MuJoCo has compiled them. */
async function found(files: Readonly<Record<string, string | Uint8Array>>, main = "main.xml") {
  const folder = tempDir();
  write(folder, files);
  const read = await readMjcf(join(folder, main));
  const physics = await Physics.create({ path: read.main }, { files: read.files });
  physics.dispose();
  return Object.keys(read.files).map((path) =>
    path.slice(path.indexOf(folder) + folder.length + 1),
  );
}

describe("readMjcf", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["beside the model", { "main.xml": model('<mesh file="a.obj"/>'), "a.obj": OBJ }],
    [
      "in meshdir",
      { "main.xml": model('<mesh file="a.obj"/>', '<compiler meshdir="m"/>'), "m/a.obj": OBJ },
    ],
    [
      "in assetdir",
      { "main.xml": model('<mesh file="a.obj"/>', '<compiler assetdir="x"/>'), "x/a.obj": OBJ },
    ],
    ["in a parent folder", { "s/main.xml": model('<mesh file="../m/a.obj"/>'), "m/a.obj": OBJ }],
    [
      "by name only, with strippath",
      {
        "main.xml": model('<mesh file="C:\\\\work\\\\a.obj"/>', '<compiler strippath="true"/>'),
        "a.obj": OBJ,
      },
    ],
    [
      "beside an included file that names them",
      {
        "main.xml": '<mujoco><include file="sub/i.xml"/></mujoco>',
        "sub/i.xml": '<mujoco><include file="j.xml"/></mujoco>',
        "sub/j.xml": model('<mesh file="a.obj"/>'),
        "sub/a.obj": OBJ,
      },
    ],
    [
      "of an attached model",
      {
        "main.xml":
          '<mujoco><asset><model name="o" file="other/o.xml"/></asset><worldbody><attach model="o" prefix="o"/></worldbody></mujoco>',
        "other/o.xml": model('<mesh file="a.obj"/>'),
        "other/a.obj": OBJ,
      },
    ],
  ])("readMjcf finds files %s", async (_, files) => {
    const main = "s/main.xml" in files ? "s/main.xml" : "main.xml";
    expect((await found(files, main)).sort()).toEqual(Object.keys(files).sort());
  });

  it("readMjcf rejects a mesh of more than 64 MiB before it is read", async () => {
    const folder = tempDir();
    write(folder, { "main.xml": model('<mesh file="a.stl"/>'), "a.stl": "" });
    truncateSync(join(folder, "a.stl"), 2 ** 26 + 1);
    await expect(readMjcf(join(folder, "main.xml"))).rejects.toMatchObject({
      code: "mjcf_too_large",
      where: join(folder, "a.stl"),
    });
  });

  it("readMjcf ignores files in comments", async () => {
    const files = { "main.xml": model('<!-- <mesh file="none.obj"/> -->') };
    expect(await found(files)).toEqual(["main.xml"]);
  });

  it("readMjcf uses the last of several compiler settings, as MuJoCo does", async () => {
    const files = {
      "main.xml": `<mujoco><include file="i.xml"/><compiler meshdir="b"/><asset><mesh file="a.obj"/></asset></mujoco>`,
      "i.xml": '<mujoco><compiler meshdir="c"/></mujoco>',
      "b/a.obj": OBJ,
    };
    expect(await found(files)).toContain("b/a.obj");
  });

  it("readMjcf names the element and line of a missing file", async () => {
    const folder = tempDir();
    write(folder, { "main.xml": '<mujoco>\n<include\n file="none.xml"/>\n</mujoco>' });
    await expect(readMjcf(join(folder, "main.xml"))).rejects.toMatchObject({
      code: "missing_file",
      message: '<include file="none.xml"> names a file that does not exist',
      where: `${join(folder, "main.xml")}:2`,
    });
  });

  it("readMjcf reports a Git LFS pointer in place of a mesh", async () => {
    const folder = tempDir();
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    write(folder, { "main.xml": model('<mesh file="a.obj"/>'), "a.obj": pointer });
    await expect(readMjcf(join(folder, "main.xml"))).rejects.toMatchObject({
      code: "lfs_pointer",
      where: join(folder, "a.obj"),
    });
  });

  it("readMjcf reads a model that attaches itself once, and leaves it for MuJoCo to reject", async () => {
    const folder = tempDir();
    write(folder, {
      "main.xml": '<mujoco><asset><model name="m" file="main.xml"/></asset></mujoco>',
    });
    expect(Object.keys((await readMjcf(join(folder, "main.xml"))).files)).toHaveLength(1);
  });

  it("readMjcf changes the hash if any file changes", async () => {
    const hash = async (obj: string) => {
      const folder = tempDir();
      write(folder, { "main.xml": model('<mesh file="a.obj"/>'), "a.obj": obj });
      return (await readMjcf(join(folder, "main.xml"))).sha256;
    };
    expect(await hash(OBJ)).toBe(await hash(OBJ));
    expect(await hash(OBJ)).not.toBe(await hash(`${OBJ}\n`));
  });

  it("withoutKeyframes removes keyframes and keeps all line numbers", async () => {
    const folder = tempDir();
    const frame = '<keyframe>\n<key name="home"/>\n</keyframe>';
    write(folder, { "main.xml": `<mujoco>\n${frame}\n<worldbody/></mujoco>` });
    const read = await readMjcf(join(folder, "main.xml"));
    const text = new TextDecoder().decode(withoutKeyframes(read)[read.main]);
    expect(text.split("\n").map((line) => line.trim())).toEqual([
      "<mujoco>",
      "",
      "",
      "",
      "<worldbody/></mujoco>",
    ]);
  });
});

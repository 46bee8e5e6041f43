import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../../test/shared-data.js";
import { triangleCount } from "../../../../test/support/triangle-count.js";
import { temporaryFolder } from "../scene-files.fixture.js";
import { readObj } from "./obj.js";

const write = temporaryFolder();
const SQUARE = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n";

async function read(text: string) {
  return readObj(await write("scene.obj", text));
}

describe("an OBJ scene", () => {
  it("the OBJ reader triangulates polygons as fans, with positive or negative indices", async () => {
    const { parts } = await read(`${SQUARE}f 1 2 3 4\nf -4 -3 -2\n`);
    expect([...(parts[0]?.mesh.indices ?? [])]).toEqual([0, 1, 2, 0, 2, 3, 0, 1, 2]);
    expect(parts[0]?.mesh.positions).toHaveLength(12);
    expect(parts[0]?.mesh.uvs).toBeUndefined();
  });

  it("the OBJ reader creates a vertex for each combination of position, texture coordinate and normal", async () => {
    const { parts } = await read(
      `${SQUARE}vt 0 0\nvt 1 0.25\nvn 0 1 0\nf 1/1/1 2/1/1 3/2/1\nf 1/2/1 3/2/1 4/2/1\n`,
    );
    const mesh = parts[0]?.mesh;
    expect(mesh?.positions).toHaveLength(5 * 3);
    expect([...(mesh?.indices ?? [])]).toEqual([0, 1, 2, 3, 2, 4]);
    // v counts from the bottom in OBJ and from the top in the model.
    expect([...(mesh?.uvs ?? [])].slice(0, 6)).toEqual([0, 1, 0, 1, 1, 0.75]);
    expect([...(mesh?.normals ?? [])].slice(0, 3)).toEqual([0, 1, 0]);
  });

  it("the OBJ reader creates an instance for each o and g, and a part for each of its materials", async () => {
    const { parts, instances } = await read(
      `${SQUARE}o chair_1\nusemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\ng box\nf 1 2 3\no chair_1\nf 2 3 4\n`,
    );
    expect(instances).toEqual([
      { name: "chair_1", category: "chair" },
      { name: "box", category: "box" },
    ]);
    expect(parts.map((p) => [p.instance, p.material.name, triangleCount([p])])).toEqual([
      [0, "a", 1],
      [0, "b", 2],
      [1, "b", 1],
    ]);
  });

  it("the OBJ reader reads colours and textures from the material library of an OBJ file", async () => {
    const png = await sharp(Uint8Array.of(9, 8, 7), { raw: { width: 1, height: 1, channels: 3 } })
      .png()
      .toBuffer();
    await write("maps/a wall.png", png);
    const mtl = "newmtl red\nKd 0.5 0 0\nd 0.8\nnewmtl wall\nmap_Kd -s 2 2 1 maps\\a wall.png\n";
    await write("look.mtl", mtl);
    const { parts, files, warnings } = await read(
      `mtllib look.mtl\n${SQUARE}usemtl red\nf 1 2 3\nusemtl wall\nf 1 3 4\nusemtl none\nf 1 2 4\n`,
    );
    expect(warnings).toEqual([]);
    expect(parts[0]?.material.color).toEqual([0.5, 0, 0, 0.8]);
    expect([...(parts[1]?.material.texture?.data ?? [])]).toEqual([9, 8, 7, 255]);
    expect(parts[2]?.material.texture).toBeUndefined();
    expect(files.map((file) => file.split("/").pop())).toEqual([
      "scene.obj",
      "look.mtl",
      "a wall.png",
    ]);
  });

  it("the OBJ reader reads vertex colours, Windows line endings and continued lines", async () => {
    const { parts } = await read(
      "v 0 0 0 1 0 0\r\nv 1 0 0 0 1 0\r\nv 0 0 1 0 0 1\r\nf 1 \\\r\n 2 3\r\n",
    );
    expect([...(parts[0]?.mesh.colors ?? [])]).toEqual([
      255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255,
    ]);
  });

  it("the OBJ reader uses a default colour and warns if the material library is missing", async () => {
    const { warnings, parts } = await read(`mtllib lost.mtl\n${SQUARE}f 1 2 3\n`);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("lost.mtl is missing");
    expect(parts).toHaveLength(1);
  });

  it("the OBJ reader rejects an OBJ scene whose texture is missing", async () => {
    await write("bare.mtl", "newmtl a\nmap_Kd gone.jpg\n");
    await expect(read(`mtllib bare.mtl\n${SQUARE}usemtl a\nf 1 2 3\n`)).rejects.toMatchObject({
      code: "missing_texture",
    });
  });

  it.each([
    ["f 1 2 9\n", "the file has 4 vertices"],
    ["f 1 2 x\n", "the file has 4 vertices"],
    ["f 0 1 2\n", "the file has 4 vertices"],
    ["v 1 nan 2\n", "finite numbers"],
    ["v 1 2\n", "finite numbers"],
  ])(
    "the OBJ reader rejects the invalid OBJ line %j and gives its number",
    async (line, message) => {
      await expect(read(SQUARE + line)).rejects.toMatchObject({
        code: "bad_geometry",
        message: expect.stringContaining(message),
        where: expect.stringMatching(/scene\.obj:5$/),
      });
    },
  );

  it("the OBJ reader rejects an OBJ scene with a number that overflows 32 bits", async () => {
    await expect(read("v 0 0 0\nv 1e39 0 0\nv 0 0 1\nf 1 2 3\n")).rejects.toMatchObject({
      code: "bad_geometry",
      message: "vertex 1 has the invalid coordinate Infinity",
    });
  });

  it("the OBJ reader rejects a file whose content is not OBJ", async () => {
    await expect(read("<html>\n<body>\nnot found\n</html>\n")).rejects.toMatchObject({
      code: "bad_obj",
    });
  });
});

describeWithSharedData("a published OBJ file", () => {
  it.each([
    ["recast/dungeon.obj", 10133],
    ["recast/nav_test.obj", undefined],
    ["recast/undulating.obj", 5202],
    ["three-pathfinding/level.obj", 1612],
    ["three-pathfinding/level.nav.obj", 552],
  ])("the OBJ reader reads all triangles of %s", async (name, known) => {
    const file = sharedData(`nav_meshes/${name}`);
    // Counted independently: a face of n corners makes n - 2 triangles.
    const faces = (await readFile(file, "latin1")).matchAll(/^f\s+(.*\S)\s*$/gm);
    let expected = 0;
    for (const [, corners = ""] of faces) expected += corners.split(/\s+/).length - 2;
    const { parts } = await readObj(file);
    expect(triangleCount(parts)).toBe(expected);
    if (known !== undefined) expect(expected).toBe(known);
  });
});

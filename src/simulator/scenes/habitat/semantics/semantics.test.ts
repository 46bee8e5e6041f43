import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../../../test/shared-data.js";
import { Cameras } from "../../../navigation/cameras.js";
import { navmeshSensor } from "../../../navigation/navmesh-config.js";
import { SceneLibrary } from "../../../navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../../../navmesh/settings.js";
import { categoryNumber } from "../../categories.js";
import { loadScene } from "../../load.js";
import { temporaryFolder } from "../../scene-files.fixture.js";
import { parseHouse } from "./house.js";
import { GREEN, HM3D, halves, hm3d, placedOn, RED } from "./semantics.fixture.js";

const write = temporaryFolder();

/** Numbers of a semantic image seen from 1.5 m above x = ±1, looking down. */
async function seen(file: string, ids: "category" | "instance", id = "hm3d/a.basis.glb") {
  const library = new SceneLibrary();
  const scene = await library.scene(id, { locate: async () => file }, HABITAT_NAVMESH);
  const settings = navmeshSensor.parse({ ids, width: 8, height: 8, hfov: 30, pitch: -89 });
  const numbers = [-1, 1].map((x) => {
    const observation: Record<string, unknown> = {};
    const shot = { tiltRad: 0, seed: 0, step: 0 };
    new Cameras([{ name: "labels", kind: "semantic", settings }]).addTo(observation, scene, {
      ...shot,
      pose: { position: [x, 0, 0], headingRad: 0 },
    });
    const { data } = observation.labels as { data: Uint16Array };
    return [...new Set(data)];
  });
  scene.release();
  return numbers;
}

describe("the annotations of HM3D", () => {
  it("annotations of HM3D belong to a scan that is the stage of a scene instance, beside the objects placed on it", async () => {
    const file = await placedOn(write, "instance");
    const { instances, semanticParts, parts, warnings } = await loadScene("x", file);
    expect(warnings).toEqual([]);
    expect(instances.map(({ name, category }) => [name, category])).toEqual([
      ["building", "unknown"],
      ["chair_3", "chair"],
      ["rug_8", "rug"],
      ["table", "table"],
    ]);
    expect(instances[1]).toMatchObject({ min: [-2, 0, -2], max: [0, 0, 2], room: "room_0" });
    expect(parts.map(({ instance }) => instance)).toEqual([0, 3]);
    expect(semanticParts?.map(({ instance }) => instance)).toEqual([1, 2, 3]);
    expect(await seen(file, "category", "flat.scene_instance.json")).toEqual([
      [categoryNumber("chair")],
      [categoryNumber("rug")],
    ]);
  });

  it("the reader of HM3D annotations makes objects of the colours of a .semantic.glb", async () => {
    const file = await hm3d(write, "hm3d/vertices");
    const { instances, semanticParts, parts, warnings, guides } = await loadScene("x", file);
    expect(warnings).toEqual([]);
    expect(instances).toEqual([
      { name: "building", category: "unknown", min: [-2, 0, -2], max: [2, 0, 2] },
      { name: "chair_3", category: "chair", min: [-2, 0, -2], max: [0, 0, 2], room: "room_0" },
      {
        name: "rug_8",
        category: "rug",
        min: [0, 0, -2],
        max: [2, 0, 2],
        room: "room_1",
      },
    ]);
    expect(semanticParts?.map(({ instance }) => instance)).toEqual([1, 2]);
    expect(parts.map(({ instance }) => instance)).toEqual([0]);
    expect(guides.map((name) => name.split("/").at(-1))).toEqual([
      "a.semantic.txt",
      "a.semantic.glb",
    ]);
    expect(await seen(file, "category")).toEqual([
      [categoryNumber("chair")],
      [categoryNumber("rug")],
    ]);
    expect(await seen(file, "instance")).toEqual([[1], [2]]);
  });

  it("the reader of HM3D annotations reads the colours of a textured .semantic.glb", async () => {
    const raw = Uint8Array.of(255, 0, 0, 0, 255, 0);
    const png = await sharp(raw, { raw: { width: 2, height: 1, channels: 3 } })
      .png()
      .toBuffer();
    const file = await hm3d(write, "hm3d/texture", HM3D, await halves({ png }));
    const { instances } = await loadScene("x", file);
    expect(instances.map(({ name }) => name)).toEqual(["building", "chair_3", "rug_8"]);
  });

  it("the reader of HM3D annotations uses the semantic files and axes that the data set configuration names", async () => {
    const stages = {
      default_attributes: {
        up: [0, 0, 1],
        front: [0, 1, 0],
        semantic_asset: "%%CONFIG_NAME_AS_ASSET_FILENAME%%.labels.glb",
        semantic_descriptor_filename: "%%CONFIG_NAME_AS_ASSET_FILENAME%%.labels.txt",
      },
    };
    await write("own/set.scene_dataset_config.json", JSON.stringify({ stages }));
    await write("own/val/1/b.labels.txt", HM3D);
    await write("own/val/1/b.labels.glb", await halves({ colors: [GREEN, RED] }));
    const file = await write("own/val/1/b.basis.glb", await halves());
    const { instances } = await loadScene("x", file);
    expect(instances[1]).toMatchObject({ category: "chair", min: [0, 0, -2], max: [2, 0, 2] });
  });

  it("the reader of HM3D annotations warns about annotated objects that the mesh does not have", async () => {
    const file = await hm3d(write, "hm3d/some", `${HM3D}9,0000FF,"bed",1\n`);
    expect((await loadScene("x", file)).warnings).toEqual([
      "1 of 3 annotated objects have no triangles in the semantic mesh",
    ]);
  });

  it.each([
    [
      "colours that do not occur in the mesh",
      'HM3D Semantic Annotations\n1,123456,"bed",0\n',
      "none of the 1 annotated objects occurs in the semantic mesh",
    ],
    [
      "a line that is cut off",
      `${HM3D}9,0000FF,"be`,
      'not a readable semantic descriptor: a line must be <id>,<RRGGBB>,"<label>",<region>',
    ],
    [
      "another format",
      "hello",
      "not a readable semantic descriptor: it is no .house, .semantic.txt or .scn",
    ],
  ])(
    "the reader of HM3D annotations rejects a .semantic.txt with %s",
    async (name, text, message) => {
      const file = await hm3d(write, `hm3d/${name}`, text);
      await expect(loadScene("x", file)).rejects.toMatchObject({ code: "bad_semantics", message });
    },
  );
});

const HOUSE = `ASCII 1.1
H name label 0 0 4 1 0 2 2 1 0 1 0 0 0 0 0 -2 -2 0 2 2 3 0 0 0 0 0
L 0 1 label 0 0 0 -2 -2 0 2 2 3 0 0 0 0 0
R 0 0 0 0 k 0 0 0 -2 -2 0 2 2 3 2.5 0 0 0 0
S 0 0 0 label 0 0 0 0 0 1 -2 -2 0 2 2 0 0 0 0 0 0
V 0 0 label -2 -2 0 0 0 1 0 0 0
V 1 0 label 2 -2 0 0 0 1 0 0 0
V 2 0 label 2 2 0 0 0 1 0 0 0
V 3 0 label -2 2 0 0 0 1 0 0 0
C 0 5 dining#chair 3 chair 0 0 0 0 0
C 1 28 couch 10 sofa 0 0 0 0 0
O 0 0 0 -1 0 0.5 1 0 0 0 1 0 1 2 0.5 0 0 0 0 0 0 0 0
O 1 0 1 1 0 0.5 1 0 0 0 1 0 1 2 0.5 0 0 0 0 0 0 0 0
`;

const PLY_HEAD = `ply
format FORMAT 1.0
element vertex 6
property float x
property float y
property float z
property uchar red
element face 2
property list uchar int vertex_indices
property int object_id
end_header
`;
const VERTICES = [
  [-2, -2, 0],
  [0, -2, 0],
  [0, 2, 0],
  [0, -2, 0],
  [2, -2, 0],
  [2, 2, 0],
];

function ply(encoding: "ascii" | "binary_little_endian" | "binary_big_endian"): Uint8Array {
  const head = Buffer.from(PLY_HEAD.replace("FORMAT", encoding));
  if (encoding === "ascii") {
    const lines = [...VERTICES.map((v) => `${v.join(" ")} 255`), "3 0 1 2 0", "3 3 4 5 1"];
    return Buffer.concat([head, Buffer.from(`${lines.join("\n")}\n`)]);
  }
  const little = encoding === "binary_little_endian";
  const body = new DataView(new ArrayBuffer(6 * 13 + 2 * 17));
  let at = 0;
  for (const vertex of VERTICES) {
    for (const value of vertex) {
      body.setFloat32(at, value, little);
      at += 4;
    }
    body.setUint8(at++, 255);
  }
  for (const [face, id] of [[[0, 1, 2], 0] as const, [[3, 4, 5], 1] as const]) {
    body.setUint8(at++, 3);
    for (const value of [...face, id]) {
      body.setInt32(at, value, little);
      at += 4;
    }
  }
  return Buffer.concat([head, Buffer.from(body.buffer)]);
}

describe("the annotations of Matterport3D", () => {
  it.each(["ascii", "binary_little_endian", "binary_big_endian"] as const)(
    "the reader of Matterport3D annotations makes objects and rooms of a .house file and a semantic mesh in %s",
    async (encoding) => {
      await write(`mp3d/${encoding}/s.house`, HOUSE);
      await write(`mp3d/${encoding}/s_semantic.ply`, ply(encoding));
      const file = await write(`mp3d/${encoding}/s.glb`, await halves());
      const { instances, rooms, semanticParts } = await loadScene("mp3d/s/s.glb", file);
      expect(instances.slice(1)).toEqual([
        { name: "chair_0", category: "chair", min: [-2, 0, -2], max: [0, 0, 2], room: "kitchen_1" },
        { name: "couch_1", category: "couch", min: [0, 0, -2], max: [2, 0, 2], room: "kitchen_1" },
      ]);
      expect(rooms).toEqual([
        {
          name: "kitchen_1",
          kind: "kitchen",
          floorM: 0,
          outline: [
            [-2, 2],
            [2, 2],
            [2, -2],
            [-2, -2],
          ],
        },
      ]);
      expect(semanticParts).toHaveLength(2);
    },
  );

  it("the reader of Matterport3D annotations takes the boxes of a .house file without a semantic mesh", async () => {
    await write("mp3d/boxes/s.house", HOUSE);
    const file = await write("mp3d/boxes/s.glb", await halves());
    const { instances, warnings, semanticParts } = await loadScene("mp3d/s/s.glb", file);
    expect(instances[2]).toMatchObject({ category: "couch", min: [0, 0, -2], max: [2, 1, 2] });
    expect(warnings.join()).toContain("semantic images show the building only");
    expect(semanticParts).toBeUndefined();
  });

  it.each([
    ["after its header", HOUSE.slice(0, 200), "the file is truncated"],
    ["within a line", HOUSE.slice(0, -30), "of `O` is not a number: it ends after"],
  ])(
    "the reader of Matterport3D annotations rejects a .house file that is cut off %s",
    async (_, text, words) => {
      await write("mp3d/cut/s.house", text);
      const file = await write("mp3d/cut/s.glb", await halves());
      await expect(loadScene("mp3d/s/s.glb", file)).rejects.toMatchObject({
        code: "bad_semantics",
        message: expect.stringContaining(words),
      });
    },
  );

  it.each([
    ["is truncated", ply("binary_little_endian").slice(0, -9), "it is truncated"],
    [
      "has no object numbers",
      Buffer.from(ply("ascii").toString().replace("object_id", "other")),
      "object_id",
    ],
    ["is another format", Buffer.from("solid x"), "it has no PLY header"],
  ])(
    "the reader of Matterport3D annotations rejects a semantic mesh that %s",
    async (name, bytes, words) => {
      await write(`mp3d/${name}/s.house`, HOUSE);
      await write(`mp3d/${name}/s_semantic.ply`, bytes);
      const file = await write(`mp3d/${name}/s.glb`, await halves());
      await expect(loadScene("mp3d/s/s.glb", file)).rejects.toMatchObject({
        code: "bad_semantics",
        message: expect.stringContaining(words),
      });
    },
  );
});

describe("the annotations of Gibson", () => {
  it("the reader of Gibson annotations takes categories from a .scn file", async () => {
    const objects = [
      { class_: "tv", id: 0, parent_room: 2 },
      { class_: "oven", id: 1 },
    ];
    await write("gibson/g.scn", JSON.stringify({ objects }));
    await write("gibson/g_semantic.ply", ply("ascii"));
    const { instances } = await loadScene(
      "gibson/g.glb",
      await write("gibson/g.glb", await halves()),
    );
    expect(instances.map(({ name, room }) => [name, room])).toEqual([
      ["building", undefined],
      ["tv_monitor_0", "room_2"],
      ["stove_1", undefined],
    ]);
  });
});

describeWithSharedData("a published .house file", () => {
  it("a published .house file has the room that its panoramas are in", async () => {
    const file = sharedData("valan_testdata/r2r/testdata/gZ6f7yhEvPG.house");
    const { rooms, objects } = parseHouse(await readFile(file, "utf8"), file);
    expect(objects.size).toBe(0);
    expect(rooms.map(({ outline, floorM }) => [outline.length, floorM])).toEqual([
      [14, expect.closeTo(0, 1)],
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { SceneLibrary } from "../../navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../../navmesh/settings.js";
import { boundsOf } from "../geometry.js";
import { loadScene } from "../load.js";
import { floorDocument, glb, temporaryFolder } from "../scene-files.fixture.js";
import { readWithin } from "../within.js";
import { SceneDataset } from "./dataset.js";
import { findNavMesh } from "./navmesh-file.js";

const write = temporaryFolder();

const CABINET = `<?xml version="1.0"?>
<robot name="cabinet">
  <material name="red"><color rgba="0.7 0 0 1"/></material>
  <link name="root"/>
  <link name="body"><visual><origin xyz="0 0.5 0"/><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="drawer"><visual><material name="red"/><geometry><mesh filename="parts/front.glb" scale="0.5 1 0.5"/></geometry></visual></link>
  <joint name="up" type="fixed"><origin rpy="0 0 0"/><parent link="root"/><child link="body"/></joint>
  <joint name="slide" type="prismatic"><origin xyz="0 0.5 0"/><axis xyz="0 0 2"/><parent link="body"/><child link="drawer"/></joint>
</robot>`;

/** A data set after the fields of habitat-sim's attributes JSON, in folders of its own choice. */
async function makeDataset(
  folder: string,
  { config = {}, scene = {} }: { config?: object; scene?: object } = {},
): Promise<string> {
  const floor = await glb(floorDocument(8));
  await write(`${folder}/shells/flat.glb`, floor);
  await write(
    `${folder}/shells/flat.stage_config.json`,
    JSON.stringify({
      render_asset: "flat.glb",
      up: [0, 1, 0],
      front: [0, 0, -1],
      scale: [2, 1, 1],
    }),
  );
  await write(`${folder}/things/a/seat.glb`, await glb(floorDocument(1)));
  await write(
    `${folder}/things/a/seat.object_config.json`,
    '{"render_asset": "seat.glb", "semantic_id": 7, "scale": [1, 1, 3]}',
  );
  await write(`${folder}/joints/cabinet/cabinet.urdf`, CABINET);
  await write(`${folder}/joints/cabinet/parts/front.glb`, await glb(floorDocument(1)));
  await write(`${folder}/words.json`, '{"classes": [{"id": 7, "name": "dining chair"}]}');
  await write(
    `${folder}/set.scene_dataset_config.json`,
    JSON.stringify({
      stages: {
        paths: { ".json": ["shells"] },
        configs: [
          {
            original_file: "shells/flat.stage_config.json",
            template_handle: "small_flat",
            attributes: { scale: [0.5, 1, 0.5] },
          },
        ],
      },
      objects: { paths: { ".json": ["things/*"] } },
      articulated_objects: { paths: { ".urdf": ["joints/*"] } },
      scene_instances: {
        paths: { ".json": ["worlds"] },
        default_attributes: { semantic_scene_instance: "lexicon" },
      },
      semantic_scene_descriptor_instances: { lexicon: "words.json" },
      navmesh_instances: { walk: "nav/walk.navmesh" },
      ...config,
    }),
  );
  return write(
    `${folder}/worlds/one.scene_instance.json`,
    JSON.stringify({
      stage_instance: { template_name: "small_flat" },
      translation_origin: "asset_local",
      ...scene,
    }),
  );
}

describe("a Habitat data set with a configuration", () => {
  it("the reader of Habitat data sets finds stages, objects and articulated objects by their handles", async () => {
    const file = await makeDataset("handles", {
      scene: {
        object_instances: [{ template_name: "SEAT", translation: [0, 1, 0] }],
        articulated_object_instances: [{ template_name: "cabinet", uniform_scale: 2 }],
      },
    });
    const { parts, instances, warnings, files } = await loadScene("one", file);
    expect(warnings).toEqual([]);
    expect(instances.map(({ category }) => category)).toEqual(["unknown", "chair", "cabinet"]);
    // The stage's scale of 0.5 replaces the copied one of 2.
    expect(boundsOf(parts.slice(0, 1))).toEqual({ min: [-2, 0, -2], max: [2, 0, 2] });
    expect(instances[1]).toMatchObject({ min: [-0.5, 1, -1.5], max: [0.5, 1, 1.5] });
    expect(instances[2]).toMatchObject({ min: [-1, 0, -1], max: [1, 2, 1] });
    expect(files.map((name) => name.split("/").at(-1)).sort()).toEqual([
      "cabinet.urdf",
      "flat.glb",
      "flat.stage_config.json",
      "front.glb",
      "one.scene_instance.json",
      "seat.glb",
      "seat.object_config.json",
    ]);
  });

  it("the reader of Habitat data sets places an articulated object at its initial joint pose", async () => {
    const cabinet = { template_name: "cabinet", translation: [0, 0, 1] };
    const file = await makeDataset("pose", {
      scene: {
        articulated_object_instances: [
          { ...cabinet, initial_joint_pose: { slide: 0.75 } },
          { ...cabinet, initial_joint_pose: [0.25] },
        ],
      },
    });
    const { parts } = await loadScene("one", file);
    const drawers = parts.filter(({ mesh }) => mesh.indices.length === 6).slice(1);
    expect(drawers.map((part) => boundsOf([part]).min[2])).toEqual([1.5, 1]);
  });

  it("the reader of Habitat data sets scales and turns objects by their configuration and their instance", async () => {
    const file = await makeDataset("scale", {
      config: {
        objects: {
          paths: { ".json": ["things/*"] },
          default_attributes: { up: [0, 0, 1], front: [0, 1, 0], COM: [0, 0, 1] },
        },
      },
      scene: {
        translation_origin: "COM",
        object_instances: [
          { template_name: "seat", uniform_scale: 2, non_uniform_scale: [1, 0.5, 1] },
        ],
      },
    });
    const { instances } = await loadScene("one", file);
    // z of the file is up, and the centre of mass, 1 m along z times the scale of 6, is at the origin.
    expect(instances[1]).toMatchObject({ min: [-1, -0.5, -6], max: [1, 0.5, -6] });
  });

  it("the reader of Habitat data sets prefers a whole name, then takes the first handle that contains the name", async () => {
    await makeDataset("order");
    const root = (await write("order/things/a/armseat.object_config.json", "{}")).replace(
      /things.*/,
      "",
    );
    const dataset = await SceneDataset.open(`${root}set.scene_dataset_config.json`);
    expect((await dataset.find("objects", "seat"))?.handle).toBe(
      "things/a/seat.object_config.json",
    );
    expect((await dataset.find("objects", "a/"))?.handle).toBe(
      "things/a/armseat.object_config.json",
    );
    expect((await dataset.find("stages", "small_flat"))?.attributes.scale).toEqual([0.5, 1, 0.5]);
    expect(await dataset.find("stages", "flats")).toBeUndefined();
  });

  it("the reader of Habitat data sets takes rooms from the region annotations that the scene names", async () => {
    const file = await makeDataset("rooms", {
      config: {
        scene_instances: {
          paths: { ".json": ["worlds"] },
          default_attributes: {
            semantic_scene_instance: "%%CONFIG_NAME_AS_ASSET_FILENAME%%.semantic_config.json",
          },
        },
        semantic_scene_descriptor_instances: { paths: { ".json": ["regions/*"] } },
      },
      scene: {
        object_instances: [1, -1].map((x) => ({ template_name: "seat", translation: [x, 1, 0] })),
      },
    });
    const loop = [
      [0, 0, -2],
      [2, 0, -2],
      [2, 0, 2],
      [0, 0, 2],
    ];
    const region = { name: "room_b", label: "Living Room", poly_loop: loop, floor_height: 0.5 };
    await write(
      "rooms/regions/flat/one.semantic_config.json",
      JSON.stringify({ region_annotations: [region] }),
    );
    const { rooms, instances } = await loadScene("one", file);
    expect(rooms).toEqual([
      {
        name: "room_b",
        kind: "living_room",
        floorM: 0.5,
        outline: [
          [0, -2],
          [2, -2],
          [2, 2],
          [0, 2],
        ],
      },
    ]);
    expect(instances.map(({ room }) => room)).toEqual([undefined, "room_b", undefined]);
  });

  it("the reader of Habitat data sets uses the navmesh that the scene names in navmesh_instances", async () => {
    const file = await makeDataset("walk", { scene: { navmesh_instance: "walk" } });
    const scene = await new SceneLibrary().scene(
      "one",
      { locate: async () => file },
      HABITAT_NAVMESH,
    );
    const navMesh = await write("walk/nav/walk.navmesh", scene.navMesh.save());
    scene.release();
    expect(await findNavMesh(file)).toBe(navMesh);
  });

  it("the reader of Habitat data sets applies units_to_meters and warns that habitat-sim does not", async () => {
    const file = await makeDataset("units", {
      config: {
        stages: {
          configs: [
            {
              template_handle: "small_flat",
              attributes: { render_asset: "shells/flat.glb", units_to_meters: 0.5 },
            },
          ],
        },
      },
    });
    const { parts, warnings } = await loadScene("one", file);
    expect(boundsOf(parts)).toEqual({ min: [-2, 0, -2], max: [2, 0, 2] });
    expect(warnings.join()).toContain("habitat-sim ignores this field");
  });

  it("the reader of Habitat data sets names the nearest stage if that of the scene does not exist", async () => {
    const file = await makeDataset("near", {
      scene: { stage_instance: { template_name: "smal_flat" } },
    });
    await expect(loadScene("one", file)).rejects.toMatchObject({
      code: "missing_stage",
      hint: 'did you mean "small_flat"? valid: flat, small_flat',
    });
  });

  it("the reader of Habitat data sets rejects a stage whose file does not exist", async () => {
    const stages = {
      configs: [{ template_handle: "small_flat", attributes: { render_asset: "gone.glb" } }],
    };
    const file = await makeDataset("gone", { config: { stages } });
    await expect(loadScene("one", file)).rejects.toMatchObject({
      code: "missing_scene",
      where: expect.stringContaining("gone.glb"),
    });
  });

  it("the reader of Habitat data sets rejects paths that lead out of the data set folder", async () => {
    const stages = {
      configs: [
        { template_handle: "small_flat", attributes: { render_asset: "../../etc/passwd" } },
      ],
    };
    const file = await makeDataset("escape", { config: { stages } });
    await expect(loadScene("one", file)).rejects.toMatchObject({ code: "outside_dataset" });
    const config = { objects: { paths: { ".json": ["../handles/things/*"] } } };
    const other = await makeDataset("escape2", { config });
    expect((await loadScene("one", other)).warnings).toEqual([]);
    const seat = await makeDataset("escape3", {
      config,
      scene: { object_instances: [{ template_name: "seat" }] },
    });
    expect((await loadScene("one", seat)).warnings).toEqual([
      "the object seat does not exist",
      "the path ../handles/things/* leads out of the data set's folder and is ignored",
    ]);
    const meshes = await makeDataset("escape4", {
      scene: { articulated_object_instances: [{ template_name: "cabinet" }] },
    });
    await write("escape4/joints/cabinet/cabinet.urdf", CABINET.replace("parts/", "../../../"));
    await expect(loadScene("one", meshes)).rejects.toMatchObject({ code: "outside_dataset" });
  });

  it("the reader of Habitat data sets reads nothing above the folder of an untrusted scene", async () => {
    const file = await makeDataset("foreign");
    const { warnings } = await readWithin(file.replace(/worlds.*/, ""), () =>
      loadScene("one", file),
    );
    expect(warnings).toEqual([]);
  });

  it.each([
    ["shells/flat.stage_config.json", "{", "bad_stage_config"],
    ["set.scene_dataset_config.json", "[]", "bad_stage_config"],
    [
      "things/a/seat.object_config.json",
      '{"render_asset": "seat.glb", "scale": [1]}',
      "bad_scene_config",
    ],
    ["joints/cabinet/cabinet.urdf", CABINET.slice(0, 300), "bad_urdf"],
    [
      "joints/cabinet/cabinet.urdf",
      CABINET.replace('<child link="body"/>', '<child link="drawer"/>'),
      "bad_urdf",
    ],
  ])(
    "the reader of Habitat data sets rejects a data set with the broken file %s",
    async (name, text, code) => {
      const file = await makeDataset("broken", {
        scene: {
          object_instances: [{ template_name: "seat" }],
          articulated_object_instances: [{ template_name: "cabinet" }],
        },
      });
      const broken = await write(`broken/${name}`, text);
      await expect(loadScene("one", file)).rejects.toMatchObject({
        code,
        where: expect.stringContaining(broken),
      });
    },
  );
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, gzipSync } from "node:zlib";
import { Document, Logger, NodeIO } from "@gltf-transform/core";
import { loadEpisodes } from "../../build/dataset/loader.js";
import { parquetBytes } from "../../build/dataset/readers/parquet-write.js";
import { readTorchArray } from "../../build/dataset/readers/torch-zip.js";
import { createRegistries } from "../../build/registry/registries.js";
import { MjcfLibrary } from "../../build/simulator/manipulation/mjcf/model.js";
import { loadScene } from "../../build/simulator/scenes/load.js";

const { formats } = createRegistries();

async function episodes(path, format) {
  let count = 0;
  for await (const _ of loadEpisodes({ path, format, formats })) count++;
  return count;
}

/**
 * For each format: a sound file, and how it is read. All are made here. With `generate`, the other files are generated
 * instead of being damaged copies of the sound one.
 */
export const FUZZED = {
  hdf5: {
    file: "demo.hdf5",
    make: makeHdf5,
    read: (path) => episodes(path),
  },
  lerobot: {
    file: "set/data/chunk-000/episode_000000.parquet",
    make: makeLerobot,
    read: (_, folder) => episodes(join(folder, "set"), "lerobot"),
  },
  torch: { file: "states.pruned_init", make: async () => torchZip(), read: readTorchArray },
  glb: { file: "scene.glb", make: makeGlb, read: (path) => loadScene("scene", path) },
  mjcf: {
    file: "model.xml",
    make: async () => MJCF,
    read: (path) => new MjcfLibrary().model(path),
  },
  mjcf_sizes: {
    file: "model.xml",
    make: async () => MJCF,
    generate: oversizedMjcf,
    read: (path) => new MjcfLibrary().model(path),
  },
  json_gz: {
    file: "episodes.json.gz",
    make: async () => gzipSync(nativeText()),
    read: (path) => episodes(path),
  },
  json: {
    file: "episodes.json",
    make: async () => nativeText(),
    read: (path) => episodes(path, "native"),
  },
};

async function makeHdf5(folder) {
  const { File, ready } = await import("h5wasm/node");
  await ready;
  const path = join(folder, "made.hdf5");
  const file = new File(path, "w");
  const data = file.create_group("data");
  data.create_attribute("env_args", JSON.stringify({ env_name: "Lift" }));
  const mask = file.create_group("mask");
  mask.create_dataset({ name: "train", data: ["demo_0", "demo_1"], shape: [2] });
  for (let i = 0; i < 3; i++) {
    const demo = data.create_group(`demo_${i}`);
    demo.create_attribute("num_samples", 20);
    demo.create_attribute("model_file", `<mujoco model="${"x".repeat(300)}"/>`);
    const numbers = (width) => Float64Array.from({ length: 20 * width }, (_, n) => n / 7);
    const shape = (width) => ({
      data: numbers(width),
      shape: [20, width],
      chunks: [5, width],
      compression: 4,
    });
    demo.create_dataset({ name: "actions", ...shape(7) });
    demo.create_dataset({ name: "states", data: numbers(9), shape: [20, 9] });
    const obs = demo.create_group("obs");
    obs.create_dataset({ name: "robot0_joint_pos", ...shape(7) });
  }
  file.close();
  return readFileSync(path);
}

async function makeLerobot(folder) {
  const meta = join(folder, "set", "meta");
  mkdirSync(meta, { recursive: true });
  const rows = 200;
  const number = { dtype: "float32", shape: [1] };
  const info = {
    ...{ codebase_version: "v2.1", fps: 10, total_episodes: 1, chunks_size: 1000 },
    data_path: "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
    features: {
      "observation.state": { dtype: "float32", shape: [4] },
      action: { dtype: "float32", shape: [2] },
      timestamp: number,
    },
  };
  writeFileSync(join(meta, "info.json"), JSON.stringify(info));
  writeFileSync(join(meta, "tasks.jsonl"), '{"task_index": 0, "task": "lift"}\n');
  writeFileSync(
    join(meta, "episodes.jsonl"),
    `{"episode_index": 0, "length": ${rows}, "tasks": ["lift"]}\n`,
  );
  const each = (value) => Array.from({ length: rows }, (_, i) => value(i));
  return parquetBytes([
    { name: "observation.state", type: "float32", list: true, data: each((i) => [i, 1, 2, i / 2]) },
    { name: "action", type: "float32", list: true, data: each((i) => [i, -i]) },
    { name: "timestamp", type: "float32", data: each((i) => i / 10) },
    ...["frame_index", "index"].map((name) => ({ name, type: "int64", data: each((i) => i) })),
    ...["episode_index", "task_index"].map((name) => ({
      name,
      type: "int64",
      data: each(() => 0),
    })),
  ]);
}

async function makeGlb() {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type, array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute(
      "POSITION",
      accessor("VEC3", Float32Array.of(-2, 0, -2, -2, 0, 2, 2, 0, 2, 2, 0, -2)),
    )
    .setIndices(accessor("SCALAR", Uint16Array.of(0, 1, 2, 0, 2, 3)));
  const mesh = document.createMesh("floor").addPrimitive(primitive);
  document.createScene().addChild(document.createNode("floor_1").setMesh(mesh));
  return new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).writeBinary(document);
}

const MJCF = `<mujoco model="arm"><option timestep="0.002"/><default><geom friction="1 0.1 0.1"/></default>
<worldbody><geom name="floor" type="plane" size="2 2 0.1"/><body name="link" pos="0 0 0.5"><joint name="turn" type="hinge"
axis="0 1 0" range="-1 1"/><geom name="rod" type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/><body name="tip" pos="0.2 0 0">
<geom name="ball" type="sphere" size="0.03"/><site name="grip"/></body></body></worldbody>
<actuator><position name="motor" joint="turn" kp="10"/></actuator></mujoco>`;

/** A valid MJCF text whose numbers ask for anything from one element to billions. */
function oversizedMjcf(random) {
  const below = (n) => Math.floor(random.uniform() * n);
  const size = () => Math.floor(2 ** (32 * random.uniform() ** 3));
  const geom = '<geom size="0.1"/>';
  const copies = (depth) =>
    `<replicate count="${size()}" offset="1 0 0">${depth > 0 ? copies(depth - 1) : geom}</replicate>`;
  const texture = (i) =>
    `<texture name="t${i}" type="${["2d", "cube", "skybox"][below(3)]}" builtin="gradient" width="${size()}" height="${size()}"/>`;
  const parts = [
    () => ["", copies(below(4)), ""],
    () => ["", Array.from({ length: below(50) }, () => copies(0)).join(""), ""],
    () => [
      "",
      `<composite type="cable" count="${size()} 1 1" curve="s" size="1"><joint kind="main"/><geom type="capsule" size=".005"/></composite>`,
      "",
    ],
    () => [
      "",
      `<flexcomp name="f" type="grid" count="${size()} ${size()} 1" spacing=".1 .1 .1" dim="2" mass="1"/>`,
      "",
    ],
    () => [
      `<asset><hfield name="h" nrow="${size()}" ncol="${size()}" size="1 1 1 1"/></asset>`,
      '<geom type="hfield" hfield="h"/>',
      "",
    ],
    () => [
      `<asset>${Array.from({ length: below(9) }, (_, i) => texture(i)).join("")}</asset>`,
      "",
      "",
    ],
    () => [
      `<asset><mesh name="m" builtin="${["sphere", "cone", "supersphere", "wedge"][below(4)]}" params="${size()} ${size()} 1"/></asset>`,
      '<geom type="mesh" mesh="m"/>',
      "",
    ],
    () => [`<size nkey="${size()}" nuser_geom="${size()}" nuserdata="${size()}"/>`, "", ""],
    () => [`<size memory="${size()}"/>`, "", ""],
    () => [`<option tolerance="0" iterations="${size()}" ls_iterations="${size()}"/>`, "", ""],
    () => ["", '<site name="s"/>', `<sensor><user dim="${size()}"/></sensor>`],
  ];
  const [before, world, after] = parts[below(parts.length)]();
  return `<mujoco>${before}<worldbody>${geom}${world}</worldbody>${after}</mujoco>`;
}

function nativeText() {
  const episodes = Array.from({ length: 20 }, (_, i) => ({
    ...{ episode_id: String(i), task_type: "vln", scene_id: "flat" },
    start_state: { position: [0, 1.5, i], rotation: [0, 0, 0, 1] },
    goals: { position: [0, 1.5, -2] },
    instruction: { text: `walk ${i} steps` },
  }));
  return JSON.stringify({ format: "robot-eval-episodes/1", episodes });
}

/** numpy's pickle of [[1, 2, 3], [4, 5, 6]] in a stored zip, as torch.save writes it. */
function torchZip() {
  const latin = (text) => Buffer.from(text, "latin1");
  const text = (value) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(value));
    return Buffer.concat([latin("X"), length, Buffer.from(value)]);
  };
  const numbers = Buffer.from(Float64Array.of(1, 2, 3, 4, 5, 6).buffer).toString("latin1");
  const pickle = Buffer.concat([
    latin(
      "\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R(K\x01K\x02K\x03\x86cnumpy\ndtype\n",
    ),
    ...[text("f8"), latin("\x89\x88\x87R(K\x03"), text("<")],
    latin("NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89c_codecs\nencode\n"),
    ...[text(numbers), text("latin1"), latin("\x86Rtb.")],
  ]);
  const name = "archive/data.pkl";
  const fields = Buffer.alloc(26);
  fields.writeUInt32LE(crc32(pickle), 10);
  fields.writeUInt32LE(pickle.length, 14);
  fields.writeUInt32LE(pickle.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([latin("PK\x03\x04"), fields, latin(name), pickle]);
  const central = Buffer.concat([
    latin("PK\x01\x02\x00\x00"),
    fields,
    Buffer.alloc(14),
    latin(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, latin("PK\x05\x06"), end]);
}

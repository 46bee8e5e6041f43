// Generates a scene like a scan of HM3D: half a million triangles with noise, and 60 MB of KTX2 textures. Takes about a
// minute, most of it for the texture; nothing of it is committed.
import { encodeToKTX2 } from "ktx2-encoder";

const ROOMS = 8;
/** Squares along each side of a wall, floor or ceiling. */
const CELLS = 72;
const [ROOM_M, HEIGHT_M] = [6, 2.6];
const TEXTURE_PX = 2048;
const TEXTURE_BYTES = 60e6;

/** The bytes of a GLB. Rooms stand in a row along x; each wall, floor and ceiling is a mesh. */
export async function scanScene() {
  const texture = await noiseTexture();
  const count = Math.round(TEXTURE_BYTES / texture.length);
  const json = emptyJson();
  const chunks = [];
  let length = 0;
  const view = (bytes) => {
    chunks.push(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4));
    const byteOffset = length;
    length += Math.ceil(bytes.length / 4) * 4;
    return json.bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length }) - 1;
  };
  const accessor = (array, type, more = {}) => {
    const size = { SCALAR: 1, VEC2: 2, VEC3: 3 }[type];
    const componentType = array instanceof Float32Array ? 5126 : 5125;
    const bufferView = view(new Uint8Array(array.buffer));
    const entry = { bufferView, componentType, type, count: array.length / size, ...more };
    return json.accessors.push(entry) - 1;
  };
  // The same texture again and again: files are not deduplicated, and each copy is decoded.
  for (let i = 0; i < count; i++) {
    json.images.push({ bufferView: view(texture), mimeType: "image/ktx2" });
    json.textures.push({ extensions: { KHR_texture_basisu: { source: i } } });
    json.materials.push({
      pbrMetallicRoughness: { baseColorTexture: { index: i } },
      extensions: { KHR_materials_unlit: {} },
    });
  }
  for (let room = 0; room < ROOMS; room++) {
    for (let side = 0; side < 6; side++) {
      const { positions, uvs, indices } = surface(room, side);
      const attributes = {
        POSITION: accessor(positions, "VEC3", bounds(positions)),
        TEXCOORD_0: accessor(uvs, "VEC2"),
      };
      const material = (room * 6 + side) % count;
      const mesh = { primitives: [{ attributes, indices: accessor(indices, "SCALAR"), material }] };
      const node = { mesh: json.meshes.push(mesh) - 1, name: `chunk_${room}_${side}` };
      json.scenes[0].nodes.push(json.nodes.push(node) - 1);
    }
  }
  json.buffers.push({ byteLength: length });
  return assemble(json, chunks, length);
}

function emptyJson() {
  return {
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_texture_basisu", "KHR_materials_unlit"],
    extensionsRequired: ["KHR_texture_basisu"],
    ...{ buffers: [], bufferViews: [], accessors: [], images: [], textures: [] },
    ...{ materials: [], meshes: [], nodes: [], scenes: [{ nodes: [] }], scene: 0 },
  };
}

/** UASTC with all mip levels, quickest setting. */
async function noiseTexture() {
  const [width, height] = [TEXTURE_PX, TEXTURE_PX];
  const data = new Uint8Array(width * height * 4).fill(255);
  let state = 1;
  for (let i = 0; i < data.length; i += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const grain = state >>> 27;
    const band = ((i >> 9) & 63) + ((i >> 16) & 63);
    data.set([90 + band + grain, 80 + band + grain, 60 + (band >> 1) + grain], i);
  }
  const { log } = console;
  console.log = () => {};
  try {
    return await encodeToKTX2(new Uint8Array(1), {
      isUASTC: true,
      uastcLDRQualityLevel: 0,
      imageDecoder: async () => ({ width, height, data }),
    });
  } finally {
    console.log = log;
  }
}

/** A side of a room: floor, ceiling and four walls, seen from inside. */
function surface(room, side) {
  const [x0, x1] = [room * ROOM_M, (room + 1) * ROOM_M];
  const corners = [
    [
      [x0, 0, ROOM_M],
      [ROOM_M, 0, 0],
      [0, 0, -ROOM_M],
    ],
    [
      [x0, HEIGHT_M, 0],
      [ROOM_M, 0, 0],
      [0, 0, ROOM_M],
    ],
    [
      [x0, 0, 0],
      [ROOM_M, 0, 0],
      [0, HEIGHT_M, 0],
    ],
    [
      [x1, 0, ROOM_M],
      [-ROOM_M, 0, 0],
      [0, HEIGHT_M, 0],
    ],
    [
      [x0, 0, ROOM_M],
      [0, 0, -ROOM_M],
      [0, HEIGHT_M, 0],
    ],
    [
      [x1, 0, 0],
      [0, 0, ROOM_M],
      [0, HEIGHT_M, 0],
    ],
  ];
  const [from, right, up] = corners[side];
  const positions = new Float32Array((CELLS + 1) ** 2 * 3);
  const uvs = new Float32Array((CELLS + 1) ** 2 * 2);
  const indices = new Uint32Array(CELLS ** 2 * 6);
  for (let j = 0, v = 0, n = 0; j <= CELLS; j++) {
    for (let i = 0; i <= CELLS; i++, v++) {
      const bump = 0.01 * Math.sin(i * 7.1 + j * 3.7 + side);
      const [a, b] = [i / CELLS, j / CELLS];
      positions.set(
        from.map((value, k) => value + right[k] * a + up[k] * b + bump),
        v * 3,
      );
      uvs.set([a, 1 - b], v * 2);
      if (i === CELLS || j === CELLS) continue;
      indices.set([v, v + 1, v + CELLS + 1, v + 1, v + CELLS + 2, v + CELLS + 1], n);
      n += 6;
    }
  }
  return { positions, uvs, indices };
}

function bounds(positions) {
  const axis = (k) => positions.filter((_, i) => i % 3 === k);
  const lists = [axis(0), axis(1), axis(2)];
  const least = (list) => list.reduce((a, b) => Math.min(a, b));
  const most = (list) => list.reduce((a, b) => Math.max(a, b));
  return { min: lists.map(least), max: lists.map(most) };
}

function assemble(json, chunks, length) {
  let text = JSON.stringify(json);
  text += " ".repeat((4 - (text.length % 4)) % 4);
  const header = Buffer.alloc(20);
  [0x46546c67, 2, 28 + text.length + length, text.length, 0x4e4f534a].forEach((value, i) => {
    header.writeUInt32LE(value, i * 4);
  });
  const binary = Buffer.alloc(8);
  binary.writeUInt32LE(length, 0);
  binary.writeUInt32LE(0x004e4942, 4);
  return Buffer.concat([header, Buffer.from(text), binary, ...chunks]);
}

// A policy whose action is a hash of everything it received: one wrong byte changes its actions.
// python/examples/hash_policy.py returns the same actions, and specifies what is hashed.
//
//   node examples/policy/hash-policy.js --port 8000
//   node examples/policy/hash-policy.js --connect ws://127.0.0.1:9000 --encoding json
import { createHash } from "node:crypto";
import { endianness } from "node:os";
import { parseArgs } from "node:util";
import { connect, isImage, NdArray, serve } from "robot-eval/policy";

class HashPolicy {
  reset(episode) {
    this.space = episode.actionSpace;
    this.digest = sha256(Buffer.from(episode.episodeId));
  }

  act(observation) {
    this.digest = sha256(this.digest, ...canonicalBytes(observation));
    return this.space.shape?.length
      ? vector(this.digest, this.space)
      : name(this.digest, this.space);
  }
}

function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function canonicalBytes(observation) {
  return sortedKeys(observation).flatMap((key) => [
    Buffer.from(`${key}\0`),
    valueBytes(observation[key]),
    Buffer.from("\n"),
  ]);
}

function valueBytes(value) {
  if (isImage(value) || value instanceof NdArray) return littleEndian(value.data);
  // Minus zero counts as zero, because JSON does not keep it.
  if (typeof value === "number") return littleEndian(Float64Array.of(value + 0));
  if (isVector(value)) return littleEndian(Float64Array.from(value, (item) => item + 0));
  return Buffer.from(typeof value === "string" ? value : json(value));
}

// Typed arrays have the machine's byte order, which is little endian on all platforms of Node except s390x.
function littleEndian({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT }) {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (endianness() === "LE" || BYTES_PER_ELEMENT === 1) return bytes;
  const copy = Buffer.from(bytes);
  return { 2: copy.swap16, 4: copy.swap32, 8: copy.swap64 }[BYTES_PER_ELEMENT].call(copy);
}

function json(value) {
  if (Array.isArray(value)) return `[${value.map(json).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${sortedKeys(value)
    .map((key) => `${JSON.stringify(key)}:${json(value[key])}`)
    .join(",")}}`;
}

// Sorted by code point, as in Python; JavaScript's default order differs outside the basic multilingual plane.
function sortedKeys(object) {
  return Object.keys(object).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function isVector(value) {
  return Array.isArray(value) && value.every((item) => typeof item === "number");
}

function vector(digest, { shape, range }) {
  const size = shape.reduce((product, n) => product * n, 1);
  return Array.from({ length: size }, (_, i) => {
    const [low, high] = (typeof range?.[0] === "number" ? range : range?.[i]) ?? [-1, 1];
    const value = low + (high - low) * (digest[i % 32] / 255);
    const middle = (low + high) / 2;
    return middle + 0.2 * (value - middle);
  });
}

function name(digest, { actions = [] }) {
  const names = actions.filter((action) => action !== "stop");
  return names[digest.readUInt32BE(0) % names.length];
}

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8000" },
    host: { type: "string", default: "127.0.0.1" },
    connect: { type: "string" },
    encoding: { type: "string" },
    sessions: { type: "string", default: "16" },
    token: { type: "string" },
  },
});
const options = {
  sessions: Number(values.sessions),
  encodings: values.encoding ? [values.encoding] : ["msgpack", "json"],
  ...(values.token === undefined ? {} : { token: values.token }),
};

if (values.connect) {
  const client = await connect(HashPolicy, values.connect, options);
  console.log(`connected to ${values.connect}`);
  await client.closed;
} else {
  const server = await serve(HashPolicy, {
    port: Number(values.port),
    host: values.host,
    ...options,
  });
  console.log(`serving HashPolicy at ${server.url}`);
}

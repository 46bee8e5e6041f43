// Round trips a second between the evaluator and a policy that costs nothing, and what batching brings.
//
// A round trip is: encode an observation, send it, the policy's side decodes it into arrays, answers with seven zeros,
// the evaluator checks the answer. Pictures are 640x480 RGB and depth (2.1 MB of noise, which no encoding
// makes smaller). The peer is openpi's own client against openpi's own server, both in Python, with the same
// observation; OPENPI_REPO names a checkout of openpi, for its server's file. The bound is what two processes of Node
// do with the library `ws` when the same frame is sent as it is, and nobody looks into it.
//
// Batching: sixteen sessions over one connection against one, with a policy whose batch takes 20 ms whatever its size.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { RemotePolicies } from "../dist/agents/remote/factory.js";
import { packMsgpack } from "../dist/api/codec/msgpack.js";
import { encodeObservation } from "../dist/api/codec/observation.js";
import { DIALING } from "../dist/api/websocket/link.js";
import { ActionSpace } from "../dist/core/task/types.js";
import { createRegistries } from "../dist/registry/registries.js";
import { pythonWith, row, skip } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SECONDS = 2;
const ROUNDS = 4;

const noise = (length) =>
  Uint8Array.from({ length }, (_, i) => (Math.imul(i, 2654435761) >>> 13) & 255);
const [width, height] = [640, 480];
const OBSERVATIONS = {
  pictures: {
    rgb: { kind: "rgb", width, height, data: noise(width * height * 3) },
    depth: {
      kind: "depth",
      width,
      height,
      data: Float32Array.from(noise(width * height), (v) => v / 255),
    },
    instruction: "go",
  },
  state: { qpos: new Array(7).fill(0), ee_pose: new Array(7).fill(0), gripper_state: 0.04 },
};
const EPISODE = {
  taskType: "pick_place",
  episodeId: "bench",
  sceneId: "none",
  episodeKey: "bench",
  episode: {},
  actionSpace: new ActionSpace({ name: "continuous", shape: [7] }),
  seed: 0,
};

// openpi-client imports typing_extensions and does not ask for it.
const sdk = pythonWith([here("../python"), "openpi-client", "typing_extensions"]);
if (!sdk) skip("policies in Python", "Python or PyPI cannot be reached");

const node = (...args) => [process.execPath, [here("policy-worker.mjs"), ...args]];
const python = (...args) => [sdk, [here("policy_peer.py"), ...args]];

console.log(`round trips a second, best of ${ROUNDS} rounds of ${SECONDS} s`);
const BOUND = "bound: the same frame, nobody looks into it";
const SIDES = [
  [BOUND, node("echo")],
  ["TypeScript policy, msgpack", node("zeros", "msgpack")],
  ["TypeScript policy, JSON", node("zeros", "json")],
  ...(sdk
    ? [
        ["Python policy, msgpack", python("zeros", "msgpack")],
        ["Python policy, JSON", python("zeros", "json")],
      ]
    : []),
];
const hasPeer = sdk !== undefined && process.env.OPENPI_REPO !== undefined;
if (!hasPeer) skip("openpi", "OPENPI_REPO names no checkout of openpi");
const OPENPI = "openpi's client and server";
/** The like with the like: two clients of one server. */
const DIALECT = "our evaluator and openpi's server";
if (hasPeer) SIDES.push([OPENPI, [sdk, [here("openpi_loop_peer.py"), "serve", somePort()]]]);
const rates = new Map();
// All in every round: a machine that is slower for a while is so for each of them.
await withPolicies(SIDES, async (sides) => {
  // openpi's server does not say when it listens, and its client pauses for 5 s where nobody does.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Object.keys(OBSERVATIONS)) {
      const note = (label, rate) => {
        const key = `${label}, ${name}`;
        rates.set(key, Math.max(rate, rates.get(key) ?? 0));
      };
      for (const [label, url] of sides) {
        const rate = { [OPENPI]: rateOfOpenpi, [BOUND]: boundOf }[label] ?? rateOf;
        note(label, await rate(url, name));
        if (label === OPENPI) note(DIALECT, await rateOf(`openpi+${url}`, name));
      }
    }
  }
});
for (const name of Object.keys(OBSERVATIONS)) {
  const peer = rates.get(`${OPENPI}, ${name}`);
  for (const label of [...SIDES.map(([side]) => side), ...(peer ? [DIALECT] : [])]) {
    const rate = rates.get(`${label}, ${name}`);
    const ratio = peer && label !== OPENPI ? `   ${(rate / peer).toFixed(2)}x openpi` : "";
    row(`${label}, ${name}`, `${rate.toFixed(0)}/s${ratio}`);
  }
}

console.log("\nactions a second, a batch of any size taking 20 ms");
for (const [label, command] of [
  ["TypeScript policy", node("batch", "20")],
  ...(sdk ? [["Python policy", python("batch", "20")]] : []),
]) {
  const [one, sixteen] = await withPolicy(command, async (url) => [
    await together(url, 1),
    await together(url, 16),
  ]);
  row(`${label}, 1 session`, `${one.toFixed(0)}/s`);
  row(
    `${label}, 16 sessions over one connection`,
    `${sixteen.toFixed(0)}/s   ${(sixteen / one).toFixed(1)}x`,
  );
}

/** Starts a policy, which prints its port, and ends it when the work is done. */
async function withPolicy([command, args], work) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    return await work(`ws://127.0.0.1:${(await firstWords(child)).trim()}`);
  } finally {
    child.kill("SIGKILL");
  }
}

/** Several at once, by label; those that are not asked cost nothing. */
async function withPolicies([first, ...rest], work, started = []) {
  if (!first) return work(started);
  const [label, command] = first;
  return withPolicy(command, (url) => withPolicies(rest, work, [...started, [label, url]]));
}

/** What a child prints first. One that ends without a word would be waited for until this process ends, silently. */
async function firstWords(child) {
  const ended = once(child, "close").then(([code]) => {
    throw new Error(`${child.spawnargs.join(" ")} ended with ${code}`);
  });
  ended.catch(() => {});
  const [chunk] = await Promise.race([once(child.stdout, "data"), ended]);
  return String(chunk);
}

function dialled(url) {
  if (url.startsWith("ws:")) return new RemotePolicies().dialled.create({ argument: url });
  const { actionSpace } = EPISODE;
  const task = { name: "bench", type: "pick_place", family: "manipulation", actionSpace };
  const dialect = createRegistries().agents.get("openpi+ws");
  return dialect.create({ argument: url, policy: {}, task: { ...task, conventions: {} } });
}

async function rateOf(url, name) {
  const observation = OBSERVATIONS[name];
  const agent = await dialled(url);
  await agent.reset(EPISODE);
  const rate = await pace(() => agent.act(observation));
  await agent.close();
  return rate;
}

async function boundOf(url, name) {
  const observation = OBSERVATIONS[name];
  const wire = await encodeObservation(observation, Object.keys(observation), "msgpack");
  const frame = packMsgpack({ type: "get_action", session_id: "bench", observation: wire });
  const socket = new WebSocket(url, DIALING);
  await once(socket, "open");
  let seen;
  socket.on("message", () => seen());
  const rate = await pace(
    () =>
      new Promise((resolve) => {
        seen = resolve;
        socket.send(frame);
      }),
  );
  socket.terminate();
  return rate;
}

/** How often a second something can be done, one after the other. */
async function pace(work) {
  for (let i = 0; i < 5; i++) await work();
  let count = 0;
  const started = performance.now();
  while (performance.now() - started < SECONDS * 1000) {
    await work();
    count++;
  }
  return (count * 1000) / (performance.now() - started);
}

/** Actions a second of so many sessions, each asking as soon as it has its answer. */
async function together(url, sessions) {
  const policies = new RemotePolicies();
  const options = { argument: url, siblings: sessions };
  const agents = await Promise.all(
    Array.from({ length: sessions }, () => policies.dialled.create(options)),
  );
  await Promise.all(agents.map((agent) => agent.reset(EPISODE)));
  let count = 0;
  const started = performance.now();
  const ask = async (agent) => {
    while (performance.now() - started < SECONDS * 1000) {
      await agent.act(OBSERVATIONS.state);
      count++;
    }
  };
  await Promise.all(agents.map(ask));
  const rate = (count * 1000) / (performance.now() - started);
  await Promise.all(agents.map((agent) => agent.close()));
  return rate;
}

/** What openpi's own client finds, against its own server. */
async function rateOfOpenpi(url, name) {
  const args = ["ask", new URL(url).port, String(SECONDS), name];
  const client = spawn(sdk, [here("openpi_loop_peer.py"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Number(await firstWords(client));
}

function somePort() {
  return String(20000 + Math.floor(Math.random() * 20000));
}

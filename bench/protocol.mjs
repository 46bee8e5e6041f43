// Round trips per second between the evaluator and a policy without inference time, and the gain of batching.
//
// In a round trip, the evaluator encodes and sends an observation, the policy decodes it into arrays and answers with
// seven zeros, and the evaluator checks the answer. Images are 640x480 RGB and depth (2.1 MB of incompressible noise).
// The peer is openpi's client with openpi's server, both in Python, with the same observation; OPENPI_REPO is the path
// of a checkout of openpi, for its server's file. The bound is two Node processes that exchange the same frame with
// the library `ws`, without decoding it.
//
// Batching: sixteen sessions over one connection compared with one, with a policy whose batch takes 20 ms at any size.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { RemotePolicies } from "../build/agents/remote/factory.js";
import { packMsgpack } from "../build/api/codec/msgpack.js";
import { encodeObservation } from "../build/api/codec/observation.js";
import { DIALING } from "../build/api/websocket/link.js";
import { ActionSpace } from "../build/core/task/types.js";
import { createRegistries } from "../build/registry/registries.js";
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

// openpi-client imports typing_extensions but does not declare it.
const sdk = pythonWith([here("../python"), "openpi-client", "typing_extensions"]);
if (!sdk) skip("policies in Python", "Python or PyPI cannot be reached");

const node = (...args) => [process.execPath, [here("policy-worker.mjs"), ...args]];
const python = (...args) => [sdk, [here("policy_peer.py"), ...args]];

console.log(`round trips per second, best of ${ROUNDS} rounds of ${SECONDS} s`);
const BOUND = "bound: the same frame, not decoded";
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
if (!hasPeer) skip("openpi", "set OPENPI_REPO to a checkout of openpi");
const OPENPI = "openpi's client and server";
/** Our client with the same server as openpi's client. */
const DIALECT = "our evaluator and openpi's server";
if (hasPeer) SIDES.push([OPENPI, [sdk, [here("openpi_loop_peer.py"), "serve", somePort()]]]);
const rates = new Map();
// All of them in every round, so that variations of the machine's speed affect each.
await withPolicies(SIDES, async (sides) => {
  // openpi's server does not report when it listens, and its client waits 5 s before it retries.
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

console.log("\nactions per second; a batch of any size takes 20 ms");
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

/** Starts a policy, which prints its port, and stops it when the work is done. */
async function withPolicy([command, args], work) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    return await work(`ws://127.0.0.1:${(await firstWords(child)).trim()}`);
  } finally {
    child.kill("SIGKILL");
  }
}

/** Starts several policies, by label; idle ones cost nothing. */
async function withPolicies([first, ...rest], work, started = []) {
  if (!first) return work(started);
  const [label, command] = first;
  return withPolicy(command, (url) => withPolicies(rest, work, [...started, [label, url]]));
}

/** The first output of a child process. Rejects if it exits without output; otherwise this would wait forever. */
async function firstWords(child) {
  const ended = once(child, "close").then(([code]) => {
    throw new Error(`${child.spawnargs.join(" ")} exited with ${code}`);
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
  const rate = await callRate(() => agent.act(observation));
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
  const rate = await callRate(
    () =>
      new Promise((resolve) => {
        seen = resolve;
        socket.send(frame);
      }),
  );
  socket.terminate();
  return rate;
}

/** Sequential calls per second. */
async function callRate(work) {
  for (let i = 0; i < 5; i++) await work();
  let count = 0;
  const started = performance.now();
  while (performance.now() - started < SECONDS * 1000) {
    await work();
    count++;
  }
  return (count * 1000) / (performance.now() - started);
}

/** Actions per second of concurrent sessions, each of which sends its next request as soon as it is answered. */
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

/** The rate of openpi's client with openpi's server. */
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

// A simulator that misbehaves. `env.mode` of an episode's task_config selects the misbehaviour at the episode's second
// step; without a mode the episode succeeds at the third step. `--start=<mode>` misbehaves before the first episode.
// Appends the id of every process that it starts to the file `pids` of its folder.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { Packr, Unpackr } from "msgpackr";
import { WebSocketServer } from "ws";

const packr = new Packr({ useRecords: false });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: false });
const start = process.argv.find((arg) => arg.startsWith("--start="))?.slice(8);
const note = (pid) => appendFileSync("pids", `${pid}\n`);
note(process.pid);
process.on("SIGTERM", () => {});

const flood = (stream, chunk) => {
  const more = () => {
    while (stream.write(chunk));
    stream.once("drain", more);
  };
  more();
};
if (start === "exit") process.exit(3);
if (start === "endless_line") flood(process.stdout, "x".repeat(65_536));

const frame = (seq, step) => ({
  type: "frame",
  seq,
  observation: { position: [0, 0] },
  state: { success: step >= 3, reward: 0, subtasks: { near: true }, ee_pos: [0, 0, 0], qpos: [0] },
  time_s: step / 10,
  done: false,
});

/** One field of a valid answer, with a value of a wrong type. */
const WRONG = {
  seq: (m) => ({ ...m, seq: "one" }),
  type: (m) => ({ ...m, type: 7 }),
  observation: (m) => ({ ...m, observation: [1] }),
  state: (m) => ({ ...m, state: null }),
  success: (m) => ({ ...m, state: { ...m.state, success: "yes" } }),
  reward: (m) => ({ ...m, state: { ...m.state, reward: "much" } }),
  reward_nan: (m) => ({ ...m, state: { ...m.state, reward: Number.NaN } }),
  subtasks: (m) => ({ ...m, state: { ...m.state, subtasks: ["near"] } }),
  objects: (m) => ({ ...m, state: { ...m.state, objects: { ball: 1 } } }),
  gripper: (m) => ({ ...m, state: { ...m.state, gripper: Number.POSITIVE_INFINITY } }),
  ee_pos: (m) => ({ ...m, state: { ...m.state, ee_pos: "here" } }),
  ee_pos_nan: (m) => ({ ...m, state: { ...m.state, ee_pos: [Number.NaN, 0, 0] } }),
  ee_pos_short: (m) => ({ ...m, state: { ...m.state, ee_pos: [0] } }),
  object_pos: (m) => ({ ...m, state: { ...m.state, objects: { ball: { pos: [null, "x"] } } } }),
  qpos_nan: (m) => ({ ...m, state: { ...m.state, qpos: [Number.NaN] } }),
  time_s: (m) => ({ ...m, time_s: "late" }),
  done: (m) => ({ ...m, done: 1 }),
  unasked: (m) => ({ type: "geometry", seq: m.seq }),
  goodbye: () => ({ type: "closed" }),
};

const MODES = {
  exit: () => process.exit(1),
  never: () => {},
  endless_stdout: () => flood(process.stdout, "x".repeat(65_536)),
  endless_stderr: () => flood(process.stderr, `${"x".repeat(1000)}\n`),
  heartbeats: ({ socket }) => setInterval(() => many(socket, { type: "heartbeat", t: 1 }), 1),
  late_answers: ({ socket, answer }) =>
    setInterval(() => many(socket, { ...answer, seq: answer.seq + 1000 }), 1),
  many_frames: ({ socket, answer }) => {
    for (let i = 0; i < 5000; i++) socket.send(packr.pack({ ...answer, seq: answer.seq + 1000 }));
  },
  huge_frame: ({ socket }) => socket.send(Buffer.alloc(65 * 2 ** 20)),
  huge_array: ({ socket }) => {
    const bytes = Buffer.alloc(60 * 2 ** 20, 0xc0);
    bytes[0] = 0xdd;
    bytes.writeUInt32BE(bytes.length - 5, 1);
    socket.send(bytes);
  },
  deep: ({ socket }) => socket.send(Buffer.alloc(2 ** 20, 0x91)),
  big_state: ({ socket, answer }) => {
    const state = { ...answer.state, extra: "x".repeat(20 * 2 ** 20) };
    socket.send(packr.pack({ ...answer, state }));
  },
  slow_bytes: ({ socket, answer }) => {
    const body = packr.pack(answer);
    const bytes = Buffer.concat([
      Buffer.from([0x82, 126, body.length >> 8, body.length & 255]),
      body,
    ]);
    let at = 0;
    setInterval(() => socket._socket.write(bytes.subarray(at, ++at)), 50);
  },
  half_frame: ({ socket }) => {
    socket._socket.write(Buffer.from([0x82, 126, 1, 0, 1, 2, 3]), () => process.exit(1));
  },
  // Starts a process in its own session, outside the simulator's process group.
  daemon: ({ socket, answer }) => {
    const sleep = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
    const child = spawn(process.execPath, ["-e", sleep], { detached: true, stdio: "ignore" });
    note(child.pid);
    child.unref();
    socket.send(packr.pack(answer));
  },
};

function many(socket, message) {
  for (let i = 0; i < 20; i++) socket.send(packr.pack(message));
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
server.on("listening", () => {
  if (start === "mute" || start === "endless_line") return;
  const { port } = server.address();
  process.stdout.write(`${JSON.stringify({ robot_eval_sim: { port, pid: process.pid } })}\n`);
});
server.on("connection", (socket) => {
  let [step, mode] = [0, undefined];
  socket.on("error", () => {});
  socket.on("message", (data) => {
    const message = unpackr.unpack(data);
    const type = message.get("type");
    const seq = message.get("seq");
    if (type === "connect") {
      if (start === "exit_at_hello") process.exit(1);
      if (start === "silent_at_hello") return;
      const action_space = { type: "continuous", low: [-1, -1], high: [1, 1] };
      const capabilities = { sensors: {}, action_space, deterministic: true };
      const simulator = { name: "hostile" };
      const hello = { type: "connected", protocol_version: "1", simulator, capabilities };
      socket.send(packr.pack(start === "bad_hello" ? { ...hello, capabilities: 1 } : hello));
      if (start === "exit_after_hello") process.exit(1);
    }
    if (type === "close") process.exit(1);
    if (type === "reset") {
      step = 0;
      mode = message.get("episode").get("task_config").get("env")?.get("mode");
    }
    if (type === "step") step++;
    if (type !== "reset" && type !== "step") return;
    const answer = frame(seq, step);
    const [when, what] = mode?.startsWith("reset:") ? [0, mode.slice(6)] : [2, mode];
    if (step !== when || !what) socket.send(packr.pack(answer));
    else if (WRONG[what]) socket.send(packr.pack(WRONG[what](answer)));
    else MODES[what]({ socket, answer });
  });
});

// A small, deterministic simulator for tests of the simulator protocol: a point that drifts to the origin of a plane.
// It shares no code with the evaluator.
//
// Arguments: --mute (prints no port), --exit (exits at once), --version=2, --refuse, --busy, --chance (not deterministic),
// --deaf (does not exit when its stdin ends), --geometry (sends its geometry).
//
// `env` of the task's config or of the episode:
// - crash_at, hang_at, spin_at, garbage_at, error_at, bad_state_at: the step of that failure, 0 for the reset
// - once: a folder with a file for each episode that has failed; such an episode succeeds at its next attempt
// - spoil: after a crash, processes in this folder exit at their start
// - step_ms: the duration of a step
// - looks: sends wrong geometry: broken, hang, escape, nothing
// - handless: states without hand and objects
import { createHash } from "node:crypto";
import { existsSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Packr, Unpackr } from "msgpackr";
import { WebSocketServer } from "ws";

const packr = new Packr({ useRecords: false });
// Decoded as maps, because the keys of an array's map are bytes.
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: false });

/** Converts maps to objects and arrays to lists of numbers. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  const entries = [...value].map(([key, item]) => [String(key), plain(item)]);
  const { __ndarray__, data, ...rest } = Object.fromEntries(entries);
  if (!__ndarray__) return data === undefined ? rest : { data, ...rest };
  return [...new Float64Array(Uint8Array.from(data).buffer)];
}

const array = (dtype, shape, numbers) => ({
  __ndarray__: true,
  data: Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength),
  dtype,
  shape,
});

const args = process.argv.slice(2);
const has = (name) => args.includes(`--${name}`);
const version = args.find((arg) => arg.startsWith("--version="))?.slice(10) ?? "1";

const SPOILT = join(process.cwd(), "spoilt");
if (has("exit") || existsSync(SPOILT)) {
  writeSync(2, "no graphics card here\n");
  process.exit(3);
}
if (!has("deaf") && process.env.ROBOT_EVAL_SIM_SUPERVISED) {
  process.stdin.on("end", () => process.exit(0)).resume();
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
server.on("listening", () => {
  process.stdout.write(`a line that is no port; threads: ${process.env.OMP_NUM_THREADS}\n`);
  if (has("mute")) return;
  const { port } = server.address();
  process.stdout.write(`${JSON.stringify({ robot_eval_sim: { port, pid: process.pid } })}\n`);
});
server.on("connection", (socket) => new Session(socket));

const HAND = (at) => ({
  ee_pos: [...at, 0],
  ee_quat_wxyz: [1, 0, 0, 0],
  gripper: 0.5,
  objects: { ball: { pos: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } },
});

const CAPABILITIES = {
  families: ["manipulation"],
  sensors: {
    position: { shape: [2], dtype: "float64", kind: "state" },
    view: { shape: [2, 3, 3], dtype: "uint8", kind: "rgb" },
    range: { shape: [2, 2], dtype: "float32", kind: "depth" },
    words: { shape: [], dtype: "str", kind: "text" },
  },
  action_space: { type: "continuous", low: [-1, -1], high: [1, 1], names: ["x", "y"] },
  deterministic: !has("chance"),
  control_hz: 10,
  conventions: { quaternion_order: "wxyz" },
  state_hash: true,
  geometry: has("geometry") ? "mjcf" : false,
  max_sessions: 1,
};

/** An upright pyramid on the plane. */
const PYRAMID = `v -0.1 -0.1 0\nv 0.1 -0.1 0\nv 0.1 0.1 0\nv -0.1 0.1 0\nv 0 0 0.3
f 1 4 3\nf 1 3 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n`;

/** The post's size differs between even and odd episodes, so that models differ while their mesh file is the same. */
function geometryOf(episode) {
  return `<mujoco><asset><mesh name="pyramid" file="pyramid.obj"/></asset><worldbody>
    <geom name="ground" type="plane" size="2 2 0.1" rgba="0.6 0.7 0.6 1"/>
    <geom name="post" type="box" size="0.05 0.05 ${0.2 + 0.1 * (Number(episode) % 2)}" pos="-1 0 0" rgba="0.2 0.3 0.8 1"/>
    <body name="point"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
      <geom type="mesh" mesh="pyramid" rgba="0.9 0.4 0.1 1"/>
      <geom name="hull" type="sphere" size="0.5" group="3"/></body></worldbody></mujoco>`;
}

class Session {
  #socket;
  #step = 0;
  #at = [0, 0];
  #env = {};
  #episode = "";

  constructor(socket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(plain(unpackr.unpack(data))));
  }

  #receive(message) {
    const { type, seq } = message;
    if (type === "connect") this.#greet(message);
    else if (type === "close") this.#send({ type: "closed" });
    else if (type === "reset") this.#reset(message);
    else if (type === "step") this.#act(seq, message.action);
    else if (type === "geometry") this.#tell(seq, message.known ?? []);
  }

  #tell(seq, known) {
    const { looks } = this.#env;
    if (looks === "hang") {
      process.stdout.write("geometry, hangs\n");
      return;
    }
    if (looks === "nothing") {
      this.#send({ type: "geometry", seq });
      return;
    }
    const name = looks === "escape" ? "../../pyramid.obj" : "pyramid.obj";
    const bytes = Buffer.from(PYRAMID);
    const hash = createHash("sha256").update(bytes).digest("hex");
    process.stdout.write(`geometry, ${known.includes(hash) ? "known" : "sent"}\n`);
    this.#send({
      type: "geometry",
      seq,
      mjcf: looks === "broken" ? "<mujoco><wings/></mujoco>" : geometryOf(this.#episode),
      files: { [name]: hash },
      assets: known.includes(hash) ? {} : { [name]: bytes },
    });
  }

  #greet({ task }) {
    if (has("refuse") || has("busy")) {
      const code = has("busy") ? "busy" : "no_such_world";
      this.#send({ type: "error", code, message: `no ${task.name} here`, fatal: true });
      this.#socket.close(1013);
      return;
    }
    const simulator = { name: "point", version: "1" };
    this.#send({
      type: "connected",
      protocol_version: version,
      simulator,
      capabilities: CAPABILITIES,
    });
  }

  #reset({ seq, episode, seed, task }) {
    this.#env = { ...task.config.env, ...episode.task_config.env };
    this.#episode = episode.episode_id;
    this.#step = 0;
    const angle = (seed % 6283) / 1000 + (has("chance") ? Math.random() : 0);
    this.#at = [Math.cos(angle), Math.sin(angle)];
    if (this.#env.unknown) {
      const message = `there is no ${this.#env.unknown}`;
      this.#send({ type: "error", seq, code: "unknown_env", message, fatal: false, fault: "data" });
      return;
    }
    this.#answer(seq);
  }

  #act(seq, action) {
    this.#step++;
    if (this.#env.forbids !== undefined && action[0] > this.#env.forbids) {
      const message = "too far";
      this.#send({ type: "error", seq, code: "bad_action", message, fatal: false, fault: "agent" });
      return;
    }
    this.#at = this.#at.map((x, i) => 0.8 * x + 0.02 * action[i]);
    this.#answer(seq);
  }

  #answer(seq) {
    if (this.#fails("crash_at")) {
      if (this.#env.spoil) writeFileSync(SPOILT, "");
      writeSync(2, `Segmentation fault in episode ${this.#episode}\n`);
      process.exit(139);
    }
    if (this.#fails("spin_at")) for (;;);
    if (this.#fails("hang_at")) return;
    if (this.#fails("garbage_at")) {
      this.#socket.send(Buffer.from([0xc1, 1, 2, 3]));
      return;
    }
    if (this.#fails("error_at")) {
      this.#send({
        type: "error",
        seq,
        code: "broken",
        message: "the world broke",
        fault: "platform",
      });
      return;
    }
    const frame = this.#frame(seq);
    if (this.#fails("bad_state_at")) delete frame.state.success;
    if (this.#env.step_ms === undefined) this.#send(frame);
    else setTimeout(() => this.#send(frame), this.#env.step_ms);
  }

  #fails(how) {
    if (this.#env[how] !== this.#step) return false;
    if (this.#env.once === undefined) return true;
    const marker = join(process.cwd(), this.#env.once, `${this.#episode}.failed`);
    if (existsSync(marker)) return false;
    writeFileSync(marker, how);
    return true;
  }

  #frame(seq) {
    const far = Math.hypot(...this.#at);
    const numbers = Float64Array.from(this.#at);
    const horizon = this.#env.horizon ?? 1000;
    return {
      type: "frame",
      seq,
      observation: {
        position: array("<f8", [2], numbers),
        view: array("|u1", [2, 3, 3], new Uint8Array(18).fill(this.#step)),
        range: array("<f4", [2, 2], new Float32Array(4).fill(far)),
        words: `step ${this.#step}`,
      },
      state: {
        success: far < (this.#env.radius ?? 0.1),
        done: false,
        reward: 1 - far,
        subtasks: { near: far < 0.5, there: far < 0.1 },
        ...(this.#env.handless ? {} : HAND(this.#at)),
        qpos: array("<f8", [2], numbers),
        sim_state: array("<f8", [2], numbers),
        state_hash: createHash("sha256").update(Buffer.from(numbers.buffer)).digest("hex"),
      },
      time_s: this.#step / 10,
      done: this.#step >= horizon,
    };
  }

  #send(message) {
    this.#socket.send(packr.pack(message));
  }
}

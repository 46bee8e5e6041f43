import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { running } from "../../../test/support/point-benchmark.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { DataError, ProtocolError, RobotEvalError } from "../../core/errors.js";
import { ExternalTask } from "../../tasks/external/task.js";
import { RemoteSimulator } from "./remote-simulator.js";

const SCRIPT = fileURLToPath(new URL("../../../test/support/point-simulator.mjs", import.meta.url));
/** A port that only root may listen on, so that connections are refused. */
const REFUSED = "ws://127.0.0.1:1";
const EPISODE = new BaseEpisode({ episodeId: "1", taskType: "external", sceneId: "plane" });

const open = new Set<RemoteSimulator>();
const folder = mkdtempSync(join(tmpdir(), "robot-eval-remote-"));
afterEach(async () => {
  for (const simulator of open) await simulator.close();
  open.clear();
  rmSync(folder, { recursive: true, force: true });
});

const command = (...args: readonly string[]) => [process.execPath, SCRIPT, ...args];

/** Starts a simulator in another process with the given world settings. */
async function start(
  env: object = {},
  config: Readonly<Record<string, unknown>> = {},
): Promise<RemoteSimulator> {
  const simulator = await RemoteSimulator.open({
    task: new ExternalTask({ env }),
    taskName: "reach",
    config: { command: command(), log_dir: folder, ...config },
  });
  open.add(simulator);
  return simulator;
}

async function problem(work: unknown): Promise<RobotEvalError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RobotEvalError) return error;
    throw error;
  }
  throw new Error("it went well");
}

const pidsIn = (text: string) => [...text.matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid));
const logs = () =>
  existsSync(folder)
    ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))
    : [];
const started = () => logs().flatMap(pidsIn);

describe("a simulator in another process", () => {
  it("a simulator in another process reports its actions, its sensors and its determinism", async () => {
    const simulator = await start({}, { sensors: { position: {}, radar: {} } });
    expect(simulator.actionSpace.size).toBe(2);
    expect(simulator.actionSpace.limits(1)).toEqual([-1, 1]);
    expect(simulator.actionSpace.semantics).toEqual({ "action[0]": "x", "action[1]": "y" });
    expect(simulator.missingSensors).toEqual(["radar"]);
    expect(simulator.deterministic).toBe(true);
    expect(simulator.conventions).toMatchObject({ quaternion_order: "wxyz", control_hz: 10 });
  });

  it("a simulator in another process returns states under the platform names, and images as images", async () => {
    const simulator = await start();
    await simulator.reset(EPISODE, { seed: 0 });
    const { state, observation, timeS } = await simulator.step([1, 0]);
    expect(timeS).toBeCloseTo(0.1);
    expect(state).toMatchObject({
      success: false,
      done: false,
      stages: { near: false, there: false },
      ee_pose: [0.8200000000000001, 0, 0, 1, 0, 0, 0],
      gripper_state: 0.5,
      objects: { ball: { position: [0, 0, 0], rotation_wxyz: [1, 0, 0, 0] } },
      sim_state: [0.8200000000000001, 0],
    });
    expect(observation).toMatchObject({
      position: [0.8200000000000001, 0],
      view: { kind: "rgb", width: 3, height: 2 },
      range: { kind: "depth", width: 2, height: 2 },
      words: "step 1",
    });
  });

  it("a simulator in another process reaches the same states from the same seed and actions, independent of earlier episodes", async () => {
    const simulator = await start();
    const course = async () => {
      const states = [(await simulator.reset(EPISODE, { seed: 2 ** 40 + 5 })).state];
      for (const x of [0.5, -0, 1e-300]) states.push((await simulator.step([x, 0])).state);
      return JSON.stringify(states);
    };
    const first = await course();
    await simulator.reset(EPISODE, { seed: 9 });
    expect(await course()).toBe(first);
  });

  it("a simulator in another process computes with one thread by default", async () => {
    await start();
    await expect.poll(logs).toEqual([expect.stringContaining("threads: 1\n")]);
    await start({}, { env: { OMP_NUM_THREADS: "4" } });
    await expect.poll(logs).toContainEqual(expect.stringContaining("threads: 4\n"));
  });

  it("a simulator in another process attributes an error to the episode or to the action", async () => {
    const simulator = await start({ forbids: 0.5 });
    const unknown = new BaseEpisode({
      ...{ episodeId: "2", taskType: "external", sceneId: "plane" },
      taskConfig: { env: { unknown: "Lfit" } },
    });
    const data = await problem(simulator.reset(unknown, { seed: 0 }));
    expect(data).toBeInstanceOf(DataError);
    expect(data.message).toBe("the simulator reports: there is no Lfit");
    await simulator.reset(EPISODE, { seed: 0 });
    expect(await problem(simulator.step([1, 0]))).toBeInstanceOf(ProtocolError);
    expect((await simulator.step([0, 0])).state.success).toBe(false);
  });
});

describe("a failing simulator", () => {
  it.each([
    [{ crash_at: 1 }, "simulator_gone", /Segmentation fault in episode 1[\s\S]*its log: /],
    [{ garbage_at: 1 }, "bad_frame", /cannot be read: .*0xc1/],
    [{ bad_state_at: 1 }, "bad_frame", /state.success/],
    [{ error_at: 1 }, "broken", /the simulator reports: the world broke/],
    [{ hang_at: 1 }, "simulator_timeout", /within 0.3 s/],
    [{ spin_at: 1 }, "simulator_timeout", /no answer to `step` from the simulator within 0.3 s/],
  ])(
    "a failing simulator fails the current episode with an explanation: %j",
    async (env, code, text) => {
      const simulator = await start(
        env,
        code === "simulator_timeout" ? { step_timeout_s: 0.3 } : {},
      );
      await simulator.reset(EPISODE, { seed: 0 });
      const error = await problem(simulator.step([0, 0]));
      expect(error).not.toBeInstanceOf(ProtocolError);
      expect(error).not.toBeInstanceOf(DataError);
      expect([error.code, error.message]).toEqual([code, expect.stringMatching(text)]);
    },
  );

  it("a failing simulator is restarted in a new process for the next episode, and the old process is gone", async () => {
    const simulator = await start({ spin_at: 1 }, { step_timeout_s: 0.3 });
    await simulator.reset(EPISODE, { seed: 0 });
    await problem(simulator.step([0, 0]));
    await simulator.reset(EPISODE, { seed: 0 });
    await expect.poll(started).toHaveLength(2);
    const pids = started();
    await expect.poll(() => running(pids)).toHaveLength(1);
    await simulator.close();
    await expect.poll(() => running(pids)).toEqual([]);
  });

  it("a failing simulator is killed if it ignores the request to end", async () => {
    const simulator = await start({}, { command: command("--deaf") });
    await expect.poll(started).toHaveLength(1);
    const pids = started();
    expect(running(pids)).toHaveLength(1);
    await simulator.close();
    await expect.poll(() => running(pids)).toEqual([]);
  });
});

describe("an unavailable simulator", () => {
  it.each([
    [{ command: command("--exit") }, "simulator_ended", /no graphics card here/],
    [{ command: ["no-such-program-here"] }, "simulator_ended", /ENOENT/],
    [{ command: command("--mute"), start_timeout_s: 0.5 }, "simulator_silent", /within 0.5 s/],
    [{ command: command("--version=2") }, "version_mismatch", /uses version 2/],
    [
      { command: command("--refuse") },
      "no_such_world",
      /the simulator rejects the connection: no reach here/,
    ],
    [{ command: command("--busy") }, "busy", /rejects the connection/],
    [
      { command: undefined, url: REFUSED, start_timeout_s: 1 },
      "connection_refused",
      /connection refused/,
    ],
  ])("an unavailable simulator is reported before a run begins: %j", async (config, code, text) => {
    const error = await problem(start({}, config));
    expect([error.code, error.describe()]).toEqual([code, expect.stringMatching(text)]);
    await expect.poll(() => running(started())).toEqual([]);
  });

  it("an unavailable simulator times out if another program listens on the port", async () => {
    const mute = createServer(() => {}).listen(0, "127.0.0.1");
    await once(mute, "listening");
    const address = mute.address();
    const port = typeof address === "object" ? address?.port : 0;
    const config = { command: undefined, url: `ws://127.0.0.1:${port}`, start_timeout_s: 0.5 };
    expect((await problem(start({}, config))).code).toBe("connect_timeout");
    mute.close();
  });

  it("an unavailable simulator is rejected if its actions do not match those of the benchmark", async () => {
    const task = new ExternalTask({ dof: 7 });
    const error = await problem(RemoteSimulator.open({ task, config: { command: command() } }));
    expect(error.message).toBe(
      "the task's dof is 7, but the simulator's actions are vectors of 2 numbers",
    );
  });
});

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { RawPolicy } from "../../src/api/websocket/raw-peer.fixture.js";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import {
  linesOf,
  makeWorld,
  startRobotEval,
  startRobotEvalHere,
  type World,
} from "../support/cli.js";
import { stopClock } from "../support/clock.js";
import { CuttableWire, PolicyProcess } from "../support/policy-process.js";
import { testPython } from "../support/python.js";
import { IS_SOAK, sampled } from "../support/sampled.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = testPython();

type Language = "TypeScript" | "Python";
const LANGUAGES: readonly Language[] = python ? ["TypeScript", "Python"] : ["TypeScript"];

/** The command that starts the same policy in either language. */
const commandOf = (language: Language, script: string, pythonScript: string) =>
  language === "Python"
    ? [python ?? "", join(root, pythonScript)]
    : [process.execPath, join(root, script)];

const faultPolicy = (language: Language, ...args: readonly string[]) =>
  new PolicyProcess([
    ...commandOf(language, "test/support/fault-policy.js", "test/support/fault_policy.py"),
    ...args,
  ]);

const hashPolicy = (language: Language, ...args: readonly string[]) =>
  new PolicyProcess([
    ...commandOf(language, "examples/policy/hash-policy.js", "python/examples/hash_policy.py"),
    ...args,
  ]);

/** Bounds that hold on a loaded machine too, where a policy takes long to start. */
const BOUNDS = {
  connect_timeout: 120,
  reconnect_grace: 120,
  cold_start_timeout: 120,
  action_timeout: 120,
};

interface EndedRun {
  readonly code: number | null;
  readonly stderr: string;
  readonly lines: readonly EpisodeLine[];
}

/** The arguments of a run of three short episodes. */
function argsOf(world: World, agent: string, policy: object, flags: readonly string[]) {
  const times = Object.entries({ ...BOUNDS, ...policy });
  return [
    ...["run", world.yaml, "--agent", agent, "--out", world.out, "--json"],
    ...times.flatMap(([key, value]) => ["--set", `policy.${key}=${value}`]),
    ...(flags.includes("--limit") ? [] : ["--limit", "3"]),
    ...flags,
  ];
}

/** Starts a run in this process, which saves the second that a process takes to start. */
function begin(world: World, agent: string, policy: object = {}, ...flags: readonly string[]) {
  return startRobotEvalHere(argsOf(world, agent, policy, flags));
}

/** Starts a run in a child process, which can be killed and exits only if no handle is left open. */
function beginApart(world: World, agent: string) {
  return startRobotEval(argsOf(world, agent, {}, []), world.root);
}

async function end(running: ReturnType<typeof begin>): Promise<EndedRun> {
  const { code, stdout, stderr } = await running.done;
  const { run_dir } = JSON.parse(stdout) as Partial<RunResults>;
  return { code, stderr, lines: run_dir ? await linesOf(run_dir) : [] };
}

/** Part of the line of an episode that no fault affected. */
const SOUND = { steps: 3, end_reason: "stop" };

/** What the policy does, its arguments, the run's flags, and what the error says. */
type Refusal = readonly [
  what: string,
  policy: readonly string[],
  run: readonly string[],
  words: readonly RegExp[],
];

describe.each(LANGUAGES)("a run with a policy in %s", (language) => {
  // The Python SDK tests these answers itself, so `npm test` tries them with one language.
  const thorough = it.runIf(language === "TypeScript" || IS_SOAK);
  const started: PolicyProcess[] = [];
  const start = (...args: readonly string[]) => {
    const policy = faultPolicy(language, ...args);
    started.push(policy);
    return policy;
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((policy) => policy.kill()));
  });

  it("a run fails only the episode in which the policy is killed, and goes on when it is restarted", async () => {
    const first = start("--fail", "hang@0:1");
    const url = await first.url;
    const running = beginApart(makeWorld(), url);
    await first.heard(/act 0:1/);
    await first.kill();
    await start("--port", new URL(url).port).url;
    const { code, lines } = await end(running);
    expect(lines).toMatchObject([
      {
        ...{ outcome: "failure", fault: "agent", steps: 1 },
        error: { code: "policy_lost", message: expect.stringContaining("was restarted") },
      },
      SOUND,
      SOUND,
    ]);
    expect(lines.slice(1).map(({ fault }) => fault)).toEqual([undefined, undefined]);
    expect(code).toBe(0);
  });

  thorough(
    "fails only the episode in which the policy answers too late, and ignores the late answer",
    async () => {
      const policy = start("--fail", "wait@0:1");
      const url = await policy.url;
      // Only the timeout of the step under test may elapse, however slow the machine is.
      stopClock();
      const running = begin(makeWorld(), url, { action_timeout: 1.5 });
      await policy.heard(/act 0:1/);
      vi.advanceTimersByTime(1500);
      policy.answer();
      const { code, lines } = await end(running);
      expect(lines).toMatchObject([
        {
          ...{ outcome: "failure", fault: "agent" },
          error: {
            code: "policy_timeout",
            message: expect.stringContaining("no answer to get_action within 1.5 s"),
          },
        },
        SOUND,
        SOUND,
      ]);
      expect(code).toBe(0);
    },
  );

  it("a run fails only the episodes in which the policy raises an error, and records the reason", async () => {
    const policy = start(
      "--fail",
      "raise@0:1,raise@1:0,raise-reset@2:0,fly@3:1,return-nothing@4:1",
    );
    const { code, stderr, lines } = await end(
      begin(makeWorld(), await policy.url, {}, "--limit", "6"),
    );
    const error = (words: string) => ({
      ...{ code: "policy_error", message: expect.stringContaining(words) },
    });
    expect(lines).toMatchObject([
      { outcome: "failure", fault: "agent", error: error("no such thing") },
      { outcome: "invalid", fault: "agent", error: error("no such thing") },
      { outcome: "invalid", fault: "agent", error: error("weights are gone") },
      {
        ...{ outcome: "failure", fault: "agent", end_reason: "bad_action" },
        error: { message: expect.stringContaining('"fly"') },
      },
      { outcome: "failure", fault: "agent", error: error("return") },
      SOUND,
    ]);
    // Two of six are more than the tenth that may be invalid.
    expect(code, stderr).toBe(3);
  });

  const refusals: readonly Refusal[] = [
    [
      "asks for a token",
      ["--token", "sesame"],
      [],
      [/the policy refuses: .*token/, /ROBOT_EVAL_POLICY_TOKEN/],
    ],
    [
      "declares another action space than the task",
      ["--conventions", '{"action_space":"continuous"}'],
      [],
      [/action_space: the policy declares "continuous", the task vln declares "discrete"/],
    ],
    [
      "serves one session if two are configured",
      [],
      ["--concurrency", "2"],
      [/serves 1 session at a time/, /--concurrency 1/],
    ],
  ];
  it.each(sampled(refusals, language === "Python" ? 1 : refusals.length))(
    "a run exits with 2 and writes no run if the policy %s",
    async (_, args, flags, words) => {
      const policy = start(...args);
      const world = makeWorld();
      const url = await policy.url;
      const { code, stderr } = await end(begin(world, url, {}, ...flags));
      expect(code).toBe(2);
      for (const pattern of [...words, url]) expect(stderr).toMatch(pattern);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(world.runs()).toEqual([]);
    },
  );

  thorough("exits with 2 if the policy asks for a sensor that the task does not have", async () => {
    const policy = start("--sensors", "lidar");
    const { code, stderr } = await end(begin(makeWorld(), await policy.url));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /the policy requests lidar, which the task does not offer\n.*gps, compass/,
    );
    expect(policy.acts).toEqual([]);
  });

  thorough("exits with 2 if the policy is busy with an episode of another run", async () => {
    const policy = start("--fail", "hang@0:1");
    const url = await policy.url;
    const first = beginApart(makeWorld(), url);
    await policy.heard(/act 0:1/);
    const world = makeWorld();
    const { code, stderr } = await end(begin(world, url));
    expect(code).toBe(2);
    expect(stderr).toMatch(/the policy refuses:/);
    expect(world.runs()).toEqual([]);
    first.signal("SIGKILL");
    await first.done;
  });

  it("a run evaluates a policy that connects to the evaluator, which exits after the run", async () => {
    const running = beginApart(makeWorld(), "listen:0");
    const policy = start("--connect", await running.heard(/(ws:\/\/127\.0\.0\.1:\d+)/));
    const { code, lines } = await end(running);
    expect(lines).toMatchObject([SOUND, SOUND, SOUND]);
    expect(code).toBe(0);
    await policy.ended;
  });
});

/** Episodes with images. The policy's action is a hash of all its observations, so a lost message changes the result. */
function picturesWorld(): World {
  const world = makeWorld();
  const pictures = { width: 32, height: 24 };
  const benchmark = {
    benchmark: { name: "cut wires" },
    vln_task: { type: "vln", config: { profile: "vlnce", metrics: ["success"] } },
    simulator: { sensors: { rgb: pictures, depth: pictures, instruction: {}, gps: {} } },
    dataset: { vln: { type: "vln", data_path: join(root, "data/navmesh/vln/val.json.gz") } },
    evaluation: { max_steps: 25 },
  };
  return { ...world, yaml: world.write("pictures.yaml", stringify(benchmark)) };
}

const resultsByKey = (lines: readonly EpisodeLine[]) =>
  lines
    .map(({ episode_key, outcome, steps, metrics, final_state_hash }) => ({
      ...{ episode_key, outcome, steps, metrics, final_state_hash },
    }))
    .sort((a, b) => a.episode_key.localeCompare(b.episode_key));

describe.each(LANGUAGES)("a connection to a policy in %s", (language) => {
  const thorough = it.runIf(language === "TypeScript" || IS_SOAK);
  const run = (agent: string, encoding: string) =>
    begin(picturesWorld(), agent, { encoding }, "--limit", "2");

  const encodings = language === "Python" ? ["msgpack", "json"] : ["json", "msgpack"];
  it.each(sampled(encodings, 1))(
    "a connection to a policy loses no message if it is cut repeatedly, whichever side connected: %s",
    async (encoding) => {
      const policy = hashPolicy(language, "--port", "0");
      const url = await policy.url;
      const expected = await end(run(url, encoding));
      expect(expected.lines.map(({ steps }) => steps)).toEqual([25, 25]);
      const wire = await CuttableWire.to(url);
      wire.cutEvery(37_000);
      const cut = await end(run(wire.url, encoding));
      await policy.kill();
      expect(wire.count, "connections").toBeGreaterThan(4);
      expect(resultsByKey(cut.lines)).toEqual(resultsByKey(expected.lines));
      expect(cut.code).toBe(0);

      const listening = run("listen:0", encoding);
      const back = await CuttableWire.to(await listening.heard(/(ws:\/\/127\.0\.0\.1:\d+)/));
      back.cutEvery(37_000);
      const connecting = hashPolicy(language, "--connect", back.url);
      const cutBack = await end(listening);
      await connecting.kill();
      expect(back.count, "connections").toBeGreaterThan(4);
      expect(resultsByKey(cutBack.lines)).toEqual(resultsByKey(expected.lines));
    },
  );

  it("a connection to a policy delivers the answer after a reconnect and asks only once if it is cut while the policy computes", async () => {
    const policy = faultPolicy(language, "--fail", "wait@0:1");
    const wire = await CuttableWire.to(await policy.url);
    const running = begin(makeWorld(), wire.url);
    await policy.heard(/act 0:1/);
    wire.cut();
    policy.answer();
    const { code, lines } = await end(running);
    expect(lines).toMatchObject([SOUND, SOUND, SOUND]);
    expect(lines.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined]);
    expect(policy.acts).toEqual(
      [0, 1, 2].flatMap((episode) => [0, 1, 2].map((step) => `${episode}:${step}`)),
    );
    expect(wire.count).toBe(2);
    expect(code).toBe(0);
    await policy.kill();
  });

  thorough("fails the episode if it is not resumed within the grace time", async () => {
    const policy = faultPolicy(language, "--fail", "hang@0:1");
    const wire = await CuttableWire.to(await policy.url);
    const gone = { reconnect_grace: 0.3, connect_timeout: 0.3 };
    const running = begin(makeWorld(), wire.url, gone, "--limit", "1");
    await policy.heard(/act 0:1/);
    wire.stop();
    const { lines } = await end(running);
    expect(lines).toMatchObject([
      {
        ...{ outcome: "failure", fault: "agent" },
        error: {
          code: "policy_lost",
          message: expect.stringContaining("was not resumed within 0.3 s"),
        },
      },
    ]);
    await policy.kill();
  });
});

describe("a policy that violates the protocol", () => {
  it("duplicate, late and out-of-order answers of a policy are ignored", async () => {
    const policy = await RawPolicy.listen({
      on: {
        get_action: (message, peer) => {
          const step = Number(message.step);
          const old = Number(message.seq) - 1;
          peer.send({ type: "action", session_id: "", seq: old, action: "stop" });
          peer.send({ type: "action", session_id: "", seq: old + 2, action: "stop" });
          peer.answer(message, { action: step < 2 ? "turn_left" : "stop" });
          peer.answer(message, { action: "stop" });
        },
      },
    });
    const { code, lines } = await end(begin(makeWorld(), policy.url));
    expect(lines).toMatchObject([SOUND, SOUND, SOUND]);
    expect(code).toBe(0);
    expect(policy.of("error")).toEqual([]);
  });

  it("a policy that sends a frame of 64 MiB fails only that episode, with close code 1009", async () => {
    let isSent = false;
    const policy = await RawPolicy.listen({
      on: {
        get_action: (message, peer) => {
          const isIt = message.step === 1 && !isSent;
          isSent ||= isIt;
          if (isIt) peer.send(Buffer.alloc(64 * 2 ** 20));
          else peer.answer(message, { action: Number(message.step) < 2 ? "turn_left" : "stop" });
        },
      },
    });
    const { code, lines } = await end(begin(makeWorld(), policy.url));
    expect(lines).toMatchObject([
      {
        ...{ outcome: "failure", fault: "agent" },
        error: { code: "policy_lost", message: expect.stringContaining("1009") },
      },
      SOUND,
      SOUND,
    ]);
    expect(code).toBe(0);
  });
});

describe("a run without a reachable policy", () => {
  async function unusedPort(): Promise<number> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    return port;
  }

  it("a run without a reachable policy exits with 2, names the refusing address and writes no run", async () => {
    const world = makeWorld();
    const url = `ws://127.0.0.1:${await unusedPort()}`;
    const { code, stderr } = await end(begin(world, url, { connect_timeout: 0.3 }));
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${url}: connection refused by`);
    expect(stderr).toContain("start the policy first");
    expect(world.runs()).toEqual([]);
  });

  it("a run without a reachable policy exits with 2 and writes no run if no policy connects in time", async () => {
    const world = makeWorld();
    const never = { connect_timeout: 0.2, cold_start_timeout: 0.2 };
    const { code, stderr } = await end(begin(world, "listen:0", never));
    expect(code).toBe(2);
    expect(stderr).toMatch(/no policy dialled in within 0.2 s\n.*connect\(MyPolicy\(\), "ws:/);
    expect(world.runs()).toEqual([]);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createResetMessage,
  MESSAGE_TYPES,
  parseActionMessage,
  readMessage,
  WebSocketProtocol,
} from "../../src/api/index.js";
import { connect, type PolicyObservation, serve } from "../../src/api/policy/index.js";
import { listeningEvaluator } from "../../src/api/policy/peer.fixture.js";
import { VLNEvaluator } from "../../src/compat/index.js";
import { inspectBenchmark } from "../../src/evaluator/plan/inspect.js";
import {
  ActionSpace,
  BaseEpisode,
  BaseMetric,
  BaseTask,
  CompletionRate,
  createRegistries,
  DTW,
  getMetric,
  getTask,
  listMetrics,
  listTasks,
  loadConfig,
  loadEpisodes,
  ManipulationSuccess,
  ManipulationTask,
  NavigationSuccess,
  PickAndPlaceTask,
  ProtocolError,
  parseConfig,
  registerMetric,
  registerTask,
  SensorSuite,
  SPL,
  STRETCH,
  STRETCH_RE1,
  TrajectorySimilarity,
  UnifiedEvaluator,
  UnifiedRobotEvaluator,
  VLNTask,
} from "../../src/index.js";
import { loadScene, NavMesh } from "../../src/simulator/index.js";
import { readTaskConfig } from "../../src/simulator/manipulation/world/task-config.js";
import { page } from "../docs/pages.js";
import {
  EPISODES,
  evaluate,
  linesOf,
  makeWorld,
  robotEvalHere,
  temporaryFolder,
} from "../support/cli.js";
import { VLN_001 } from "../support/design-episodes.js";
import { writeLiberoDemos } from "../support/libero-demos.js";

const world = makeWorld();
const navigation = VLN_001;
const verbatim = readFileSync(
  new URL("../../src/config/unified-challenge.fixture.txt", import.meta.url),
  "utf8",
);

/** Checks of the rows of a section of docs/migration.md, by the text in the column "design". */
type Checks = Readonly<Record<string, () => void | Promise<void>>>;

const SECTIONS: Readonly<Record<string, Checks>> = {
  "Modules and registries": {
    "`core`, `tasks`, `metrics`, `registry`, `dataset`, `core.evaluator`": () => {
      const exported = [BaseTask, VLNTask, NavigationSuccess, BaseEpisode, UnifiedRobotEvaluator];
      for (const item of exported) expect(item).toBeTypeOf("function");
    },
    "`api`": () => {
      expect(createResetMessage).toBeTypeOf("function");
      expect(serve).toBeTypeOf("function");
    },
    "`simulator`": () => {
      expect(loadScene).toBeTypeOf("function");
      expect(NavMesh).toBeTypeOf("function");
    },
    "`register_task(type, name)`": () => {
      class Again extends VLNTask {
        override get taskType() {
          return "again";
        }
      }
      expect(registerTask("again", "Again")(Again)).toBe(Again);
      expect(getTask("again")).toBe(Again);
      expect(() => registerTask("again")(Again)).toThrow('"again"');
    },
    "`get_task(type)`, `get_task(type, config)`": () => {
      expect(getTask("vln")).toBe(VLNTask);
      expect(getTask("vln", {})).toBeInstanceOf(VLNTask);
      const hint = expect.stringContaining('did you mean "vln"?');
      expect(() => getTask("vnl")).toThrow(expect.objectContaining({ hint }));
    },
    "`register_metric(name)`": () => {
      class Arrived extends NavigationSuccess {
        override readonly info = { ...getMetric("success", {}).info, name: "arrived" };
      }
      expect(registerMetric("arrived")(Arrived)).toBe(Arrived);
      expect(() => registerMetric("arrived")(Arrived)).toThrow('"arrived"');
    },
    "`get_metric(name)`, `get_metric(name, config)`": () => {
      expect(getMetric("spl")).toBe(SPL);
      expect(getMetric("spl", {})).toBeInstanceOf(SPL);
      const hint = expect.stringContaining('did you mean "spl"?');
      expect(() => getMetric("slp")).toThrow(expect.objectContaining({ hint }));
    },
    "`list_tasks()`, `list_metrics()`": () => {
      expect(listTasks()).toEqual(expect.arrayContaining(["vln", "pick_place"]));
      expect(listMetrics()).toEqual(expect.arrayContaining(["success", "manip_success"]));
    },
    "one global registry": () => {
      class Shared extends NavigationSuccess {}
      registerMetric("shared_only")(Shared);
      expect(listMetrics()).toContain("shared_only");
      expect(createRegistries().metrics.list()).not.toContain("shared_only");
    },
  },

  Tasks: {
    "`BaseTask(config)` and its abstract members": () => {
      const task = new VLNTask({ max_steps: 7 });
      expect(task).toBeInstanceOf(BaseTask);
      expect(task.config).toEqual({ max_steps: 7 });
      expect([task.taskType, task.taskName]).toEqual(["vln", "Vision-Language Navigation"]);
      expect(task.primaryMetric).toBe("success");
    },
    "`task.metric_names`": () => {
      expect(getTask("vln", { metrics: ["spl"] }).metricNames).toEqual(["spl"]);
      expect(getTask("vln", {}).metricNames).toContain("success");
    },
    "`task.get_metrics()`": () => {
      const task = getTask("vln", { metrics: ["success", "spl"] });
      expect(task.getMetrics()).toEqual([NavigationSuccess, SPL]);
    },
    "`task.check_episode_complete(state)`": () => {
      const task = getTask("pick_place", { max_steps: 3 });
      expect(task.checkEpisodeComplete({ num_steps: 2 })).toBe(false);
      expect(task.checkEpisodeComplete({ num_steps: 3 })).toBe(true);
      expect(task.endReason({ num_steps: 3 })).toBe("max_steps");
    },
    "`ActionSpace(name, actions, shape, range, semantics)`": () => {
      const discrete = { name: "discrete", actions: ["stop"], semantics: { stop: "end" } } as const;
      expect(new ActionSpace(discrete)).toMatchObject(discrete);
      const vector = { name: "continuous", shape: [2], range: [-1, 1] } as const;
      expect(new ActionSpace(vector)).toMatchObject(vector);
    },
    "`ActionSpace(discrete_actions, continuous_shape)`": () => {
      const both = { name: "hybrid", actions: ["stop"], shape: [7] } as const;
      expect(new ActionSpace(both)).toMatchObject(both);
    },
    "`SensorSuite(sensors).get(name)`": () => {
      const suite = new SensorSuite({ sensors: { gps: { dim: 3 } } });
      expect([suite.get("gps"), suite.get("rgb")]).toEqual([{ dim: 3 }, {}]);
    },
    "`VLNTask`": () => {
      const task = new VLNTask({});
      const { actions } = task.actionSpace;
      expect(actions).toEqual(["stop", "move_forward", "turn_left", "turn_right"]);
      expect(task.sensorSuite.names()).toEqual(["rgb", "depth", "instruction", "gps", "compass"]);
      expect(task.checkEpisodeComplete({ distance_to_goal: 9, last_action: "stop" })).toBe(true);
    },
    "`ManipulationTask`": () => {
      const task = getTask("manipulation", { dof: 7 });
      expect(task).toBeInstanceOf(ManipulationTask);
      const sensors = ["rgb_head", "rgb_wrist", "qpos", "qvel", "ee_pose", "gripper_state"];
      expect(task.sensorSuite.names()).toEqual(sensors);
      expect(task.actionSpace).toMatchObject({ name: "continuous", shape: [7] });
      expect(task.actionSpace.range).toHaveLength(7);
    },
    "`PickAndPlaceTask`": () => {
      const space = (config: object) => getTask("pick_place", { ...config }).actionSpace.name;
      expect(getTask("pick_place")).toBe(PickAndPlaceTask);
      expect([space({}), space({ action_space: "continuous" })]).toEqual(["hybrid", "continuous"]);
    },
    "`StretchRobotConfig`, `STRETCH_RE1_CONFIG`": () => {
      expect(STRETCH).toMatchObject({ robotType: "stretch", dofs: { length: 7 } });
      expect(STRETCH.joints.map(({ name }) => name)).toEqual([
        ...["translate_x", "translate_y", "rotate_z", "joint_lift"],
        ...["joint_arm_l0", "joint_arm_l1", "joint_arm_l2", "joint_arm_l3"],
        ...["joint_wrist_yaw", "joint_gripper_finger_left"],
      ]);
      expect(limits(STRETCH, "joint_arm_l0")).toEqual([0, 0.13]);
      expect(limits(STRETCH_RE1, "translate_x")).toEqual([-0.3, 0.3]);
    },
    "`joint_limits`": () => {
      const joint_limits = { translate_x: [-0.3, 0.3], joint_lift: [-9, 9] };
      const [x, , , lift] = rangesOf(getTask("pick_place", { joint_limits }));
      expect([x, lift]).toEqual([
        [-0.3, 0.3],
        [0, 1.1],
      ]);
    },
    "L0 to L3 randomisation, not in the first phase": () => {
      const randomised = (level: number) =>
        new BaseEpisode({
          ...{ episodeId: "1", taskType: "pick_place", sceneId: "table" },
          taskConfig: { randomization: { level } },
        });
      expect(readTaskConfig(randomised(3)).randomization?.level).toBe(3);
      expect(() => readTaskConfig(randomised(4))).toThrow("expected one of 0|1|2|3");
    },
  },

  Episodes: {
    "`BaseEpisode(episode_id=..., start_state=..., ...)`": () => {
      expect(navigation).toMatchObject({ episodeId: "vln_001", taskType: "vln" });
      expect(navigation.startState.position).toEqual([1.5, 0, 2.3]);
    },
    "a fixed list of task types": async () => {
      const init = { episodeId: "1", taskType: "my_task", sceneId: "a" };
      expect(new BaseEpisode(init).taskType).toBe("my_task");
      const loaded = parseConfig(verbatim.replace('type: "vln"', 'type: "my_task"'));
      const evaluator = new UnifiedRobotEvaluator(loaded, { outDir: null, agent: "random" });
      await expect(evaluator.run()).rejects.toThrow('unknown task "my_task"');
    },
    "`episode.to_dict()`": () => {
      const dict = navigation.toDict();
      expect(dict.start_state.position).toEqual([1.5, 0, 2.3]);
      expect(dict.goals.position).toEqual([3, 1, 2.3]);
      expect(BaseEpisode.fromDict(dict)).toEqual(navigation);
    },
  },

  Metrics: {
    "`BaseMetric(config)`, `metric_name`, `reset(episode, task)`": () => {
      const metric = new NavigationSuccess({ any: 1 });
      expect(metric).toBeInstanceOf(BaseMetric);
      expect([metric.metricName, metric.config]).toEqual(["success", { any: 1 }]);
      metric.reset(navigation, new VLNTask({}));
      expect(metric.info).toMatchObject({ unit: "1", range: [0, 1], direction: "higher" });
    },
    "`update(*args, **kwargs)`": () => {
      expect(scored(new NavigationSuccess(), [{ distance_to_goal: 0.1 }])).toBe(1);
      expect(scored(new NavigationSuccess(), [{ distance_to_goal: 0.2 }])).toBe(0);
    },
    "`compute_aggregated(values)`": () => {
      const metric = getMetric("success", {});
      const numpy = { mean: 0.5, std: 0.5, min: 0, max: 1, count: 2 };
      expect(metric.computeAggregated([0, 1])).toEqual(numpy);
      expect(metric.computeAggregated([])).toMatchObject({ count: 0, mean: null });
    },
    "`NavigationSuccess`": () => {
      expect(getMetric("success")).toBe(NavigationSuccess);
      const near = [{ distance_to_goal: 0.1 }];
      const underHabitat = scored(new NavigationSuccess(), near, { profile: "habitat" });
      expect([scored(new NavigationSuccess(), near), underHabitat]).toEqual([1, 0]);
    },
    "`ManipulationSuccess`": () => {
      expect(getMetric("manip_success")).toBe(ManipulationSuccess);
      const init = { episodeId: "1", taskType: "pick_place", sceneId: "table" };
      const goals = { success_criteria: { type: "grasp_and_lift" } };
      const flags = { object_grasped: true, object_lifted: true, object_placed: true };
      const metric = new ManipulationSuccess();
      metric.reset(new BaseEpisode({ ...init, goals }), getTask("pick_place", {}));
      metric.update(flags);
      expect(metric.getMetric()).toBe(1);
      metric.update({ ...flags, object_placed: false });
      expect(metric.getMetric()).toBe(0);
    },
    "`SPL`, `DTW`, `CompletionRate`, `TrajectorySimilarity`": () => {
      const names = ["spl", "dtw", "completion_rate", "trajectory_similarity"];
      const classes = [SPL, DTW, CompletionRate, TrajectorySimilarity];
      expect(names.map((name) => getMetric(name))).toEqual(classes);
    },
  },

  Protocol: {
    "`MessageType`": () => {
      expect(MESSAGE_TYPES).toEqual([
        ...["connect", "connected", "reset_episode", "episode_ready", "get_action"],
        ...["action", "episode_end", "heartbeat", "error", "disconnect"],
      ]);
    },
    "`create_reset_message(episode)`": () => {
      const fields = {
        instruction: { text: "Walk to the kitchen" },
        start_position: [1.5, 0, 2.3],
        start_rotation: [0, 0, 0, 1],
        reference_path: null,
      };
      expect(createResetMessage(navigation, "s1")).toMatchObject({
        type: "reset_episode",
        session_id: "s1",
        episode: { ...fields, episode_id: "vln_001", task_type: "vln", goals: null },
      });
      const { episode } = createResetMessage(navigation, "s1", { disclose: ["goals"] });
      expect(episode.goals).toEqual({ position: [3, 1, 2.3], radius: 0.2 });
    },
    "`parse_action_message(message, task_type)`": () => {
      const message = { type: "action", session_id: "s1" } as const;
      expect(parseActionMessage({ ...message, action: "stop" }, "vln")).toBe("stop");
      expect(parseActionMessage({ ...message, action: [0.1] }, "pick_place")).toEqual([0.1]);
      const wrong = { ...message, action: [0.1] };
      expect(() => parseActionMessage(wrong, "vln")).toThrow(ProtocolError);
    },
    "`send_observation(session_id, observation)`": () => {
      expect(WebSocketProtocol.prototype.sendObservation).toHaveLength(2);
    },
    "`receive_action(session_id)`": async () => {
      const seen: unknown[] = [];
      const act = (observation: PolicyObservation) => {
        seen.push(observation.gripper_state);
        return "stop";
      };
      const served = await serve({ act }, { port: 0 });
      const protocol = await WebSocketProtocol.dial(served.url);
      const session = await protocol.startEpisode(navigation);
      await protocol.sendObservation(session, { gripper_state: 0.04 });
      expect(await protocol.receiveAction(session)).toBe("stop");
      expect(seen).toEqual([0.04]);
      await protocol.close();
      await served.close();
    },
    "`connect` message": () => {
      expect(readMessage({ type: "connect", session_id: "uuid-xxx" }).type).toBe("connect");
      expect(() => readMessage({ type: "connect", role: "critic" })).toThrow("role");
    },
    "`heartbeat` message": () => {
      expect(readMessage({ type: "heartbeat" }).type).toBe("heartbeat");
    },
    "`gripper_state`": () => {
      const { sensorSuite } = getTask("manipulation", {});
      expect(sensorSuite.get("gripper_state")).toEqual({ dim: 1, range: [0, 1] });
    },
    "`get_action` message": () => {
      const message = { type: "get_action", session_id: "uuid-xxx", task_type: "vln" };
      const observation = { rgb: "<base64>", qpos: [0, 0], gripper_state: 0.04 };
      expect(readMessage({ ...message, observation, seq: 3, step: 2 })).toMatchObject(message);
    },
    "`action` message": () => {
      const both = { name: "move_forward", qpos: [0.05, 0] };
      expect(new ActionSpace({ name: "discrete", actions: ["move_forward"] }).parse(both)).toBe(
        "move_forward",
      );
      expect(new ActionSpace({ name: "continuous", shape: [2] }).parse(both)).toEqual([0.05, 0]);
    },
  },

  "Configuration and runs": {
    "`unified_challenge.yaml`": () => {
      const { config } = parseConfig(verbatim);
      expect(config.tasks.map(({ type }) => type)).toEqual(["vln", "pick_place"]);
    },
    "`simulator.sensors`": async () => {
      const { tasks } = await inspectBenchmark(parseConfig(verbatim), createRegistries());
      const names = tasks.map(({ sensors }) => Object.keys(sensors.received ?? {}));
      expect(names).toEqual([
        ["rgb", "depth", "instruction", "gps", "compass"],
        ["rgb", "depth", "qpos", "qvel", "ee_pose", "gripper_state"],
      ]);
    },
    "`backend: abstract`": async () => {
      const { tasks } = await inspectBenchmark(parseConfig(verbatim), createRegistries());
      expect(tasks.map(({ simulator }) => simulator)).toEqual(["navmesh", "mujoco"]);
    },
    "`data_path` of a folder of demonstrations": async () => {
      const folder = temporaryFolder();
      await writeLiberoDemos(folder, "turn_on_the_stove");
      await writeLiberoDemos(folder, "push_the_plate_to_the_front_of_the_stove");
      const { formats } = createRegistries();
      const scenes = new Set<string>();
      for await (const { sceneId } of loadEpisodes({ path: folder, formats })) scenes.add(sceneId);
      expect([...scenes]).toHaveLength(2);
    },
    "`load_config(path)`": () => {
      const path = new URL("../../configs/benchmarks/vln_challenge.yaml", import.meta.url).pathname;
      expect(loadConfig("vln_challenge").config).toEqual(loadConfig(path).config);
    },
    "`UnifiedRobotEvaluator(config)`, `UnifiedEvaluator(config)`": async () => {
      expect(UnifiedEvaluator).toBe(UnifiedRobotEvaluator);
      const evaluator = new UnifiedRobotEvaluator(parseConfig(verbatim), { outDir: null });
      await expect(evaluator.run()).rejects.toThrow("no agent is named");
    },
    "`evaluator.run()`": async () => {
      const running = evaluate(world, { outDir: null });
      expect(running).toBeInstanceOf(Promise);
      expect((await running).episodes.total).toBe(EPISODES.length);
    },
    "`results.aggregated_metrics`": async () => {
      const results = await evaluate(world, { outDir: null, agent: "shortest-path" });
      expect(results.aggregated_metrics.success?.mean).toBe(1);
    },
  },

  "Commands and policies": {
    "`--limit n`: the first n episodes": async () => {
      const scenes = async (options: object) => {
        const { run_dir } = await evaluate(world, options);
        return (await linesOf(run_dir)).map(({ scene_id }) => scene_id).sort();
      };
      expect(await scenes({ limit: 2 })).toEqual(["hall", "yard"]);
      expect(await scenes({ first: 2 })).toEqual(["hall", "hall"]);
    },
    "`probe` exits with 1": async () => {
      const flags = ["--task", "vln", "--set", "policy.connect_timeout=0.05"];
      expect((await robotEvalHere(["probe", "ws://127.0.0.1:9", ...flags])).code).toBe(4);
    },
    "a lost policy makes its episodes invalid": () => {
      expect(parseConfig(verbatim).config.policy.when_lost).toBe("stop");
    },
    "`PolicyClient.closed` resolves": async () => {
      const evaluator = await listeningEvaluator();
      const dialling = connect({ act: () => "stop" }, evaluator.url);
      const peer = await evaluator.next();
      await peer.hear();
      const capabilities = { encodings: ["json"], sessions: 1 };
      peer.say({ type: "connected", session_id: "S", capabilities });
      const client = await dialling;
      peer.say({ type: "episode_end", session_id: "S", episode_id: "1", reason: "stop", steps: 1 });
      peer.say({ type: "disconnect", session_id: "S" });
      expect(await client.closed).toMatchObject({ episodes: 1, reasons: { stop: 1 } });
      await evaluator.close();
    },
  },

  "The old evaluator": {
    "`nav_eval` modules": () => {
      expect([VLNTask, NavigationSuccess, BaseEpisode]).not.toContain(undefined);
    },
    "`VLNEvaluator(config).evaluate(episodes)`": async () => {
      const connectivity = join(world.root, "episodes", "connectivity");
      const running = new VLNEvaluator({ connectivity, profile: "r2r" }).evaluate(EPISODES);
      expect(running).toBeInstanceOf(Promise);
      expect((await running).metrics.success).toBe(1);
      const { summary } = await new VLNEvaluator({ connectivity }).evaluate(EPISODES);
      expect(summary.profiles).toEqual({ vln: "vlnce" });
    },
  },
};

describe.each(Object.entries(SECTIONS))("docs/migration.md, %s", (heading, checks) => {
  const rows = page("docs/migration.md").table(heading);

  it("docs/migration.md has a check for each row and no other", () => {
    expect(rows.map((row) => row.design)).toEqual(Object.keys(checks));
  });

  it.each(Object.entries(checks))("docs/migration.md is right about %s", (_, check) => check());
});

function rangesOf(task: BaseTask) {
  return Array.from({ length: task.actionSpace.size }, (_, i) => task.actionSpace.limits(i));
}

function limits(robot: typeof STRETCH, joint: string) {
  return robot.joints.find(({ name }) => name === joint)?.limits;
}

function scored(metric: BaseMetric, states: readonly object[], config: object = {}) {
  metric.reset(navigation, new VLNTask({ ...config }));
  for (const [step, state] of states.entries()) {
    metric.update({ step, action: step === 0 ? null : "move_forward", state: { ...state } });
  }
  return metric.getMetric();
}

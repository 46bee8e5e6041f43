import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Policy,
  type PolicyObservation,
  type ServeOptions,
  serve,
} from "../../api/policy/index.js";
import { loadConfig } from "../../config/load.js";
import type { Finding } from "./findings.js";
import { type ProbeReport, probePolicy } from "./probe.js";

const benchmark = fileURLToPath(
  new URL("../../../configs/benchmarks/unified_smoke.yaml", import.meta.url),
);

/** Serves the policy and probes it. Cameras are named by no policy here, so that nothing is drawn. */
async function probe(policy: Policy, task = "pick_place"): Promise<ProbeReport> {
  const sensors = task === "vln" ? ["instruction"] : ["qpos", "gripper_state"];
  const server = await serve({ sensors, ...policy }, { port: 0 });
  onTestFinished(() => server.close());
  return probePolicy(loadConfig(benchmark), { agent: server.url, task, steps: 8 });
}

const found = ({ findings }: ProbeReport, name: string): Finding | undefined =>
  findings.find((finding) => finding.name === name);

const qposOf = ({ qpos }: PolicyObservation) => qpos as readonly number[];

/** Moves a little from where it is, and never the same way. */
const sound: Policy = {
  act: (observation, { step }) => qposOf(observation).map((q, i) => (i === 3 ? q + step / 100 : q)),
};

describe("a probe", () => {
  it("a probe reports nothing wrong with a correct policy", async () => {
    const report = await probe(sound);
    expect(report.healthy).toBe(true);
    expect(report.findings.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(report.peer).toMatchObject({ sensors: ["qpos", "gripper_state"], sessions: 1 });
  });

  it("a probe warns of a policy that always gives the same action", async () => {
    const report = await probe({ act: () => "move_forward" }, "vln");
    expect(report.healthy).toBe(true);
    expect(found(report, "actions")).toMatchObject({ status: "warning" });
  });

  it("a probe counts actions where one of them takes several control steps", async () => {
    let asked = 0;
    const server = await serve(
      { sensors: ["gps"], act: () => (asked++ % 2 === 0 ? "turn_left" : "turn_right") },
      { port: 0 },
    );
    onTestFinished(() => server.close());
    const report = await probePolicy(loadConfig("rearrange_challenge"), {
      agent: server.url,
      steps: 6,
    });
    expect(report.healthy).toBe(true);
    expect(asked).toBe(12);
    expect(found(report, "actions")?.text).toBe("6 valid, not all the same");
  });

  it("a probe warns of values outside the robot limits and names them", async () => {
    const degrees: Policy = {
      act: (observation, { step }) =>
        qposOf(observation).map((q, i) => (i === 3 ? 57.3 + step : q)),
    };
    const finding = found(await probe(degrees), "limits");
    expect(finding?.status).toBe("warning");
    expect(finding?.text).toContain("action[3] in 100 % of the steps");
  });

  it("a probe accepts a slight overshoot of the limits, as learned policies make", async () => {
    const eager: Policy = {
      act: (observation, { step }) =>
        qposOf(observation).map((q, i) => (i === 6 ? 0.0403 + step * 1e-6 : q)),
    };
    expect(found(await probe(eager), "limits")?.status).toBe("ok");
  });

  it("a probe distinguishes deltas from positions", async () => {
    const changes: Policy = {
      act: (observation, { step }) => qposOf(observation).map((_, i) => (i === 3 ? step / 100 : 0)),
    };
    const finding = found(await probe(changes), "positions");
    expect(finding).toMatchObject({ status: "warning" });
    expect(finding?.text).toContain("joint_delta");
  });

  it("a probe warns of state kept from the last episode", async () => {
    let asked = 0;
    const forgetful: Policy = {
      act: (observation) => qposOf(observation).map((q, i) => (i === 3 ? q - asked++ / 1000 : q)),
    };
    expect(found(await probe(forgetful), "repeated")).toMatchObject({ status: "warning" });
  });

  it.each([
    ["an action of another task", () => "move_forward", "not an action of this task"],
    ["too few numbers", () => [0, 0], "has 7 numbers, got 2"],
    [
      "an exception",
      () => {
        throw new Error("CUDA out of memory");
      },
      "CUDA out of memory",
    ],
  ])("a probe fails a policy for %s", async (_what, act, words) => {
    const report = await probe({ act });
    expect(report.healthy).toBe(false);
    expect(found(report, "episode")).toMatchObject({ status: "failed" });
    expect(found(report, "episode")?.text).toContain(words);
  });

  it("a probe reports conventions that differ between policy and task", async () => {
    const report = await probe({ ...sound, conventions: { control_mode: "ee_delta_pose" } });
    expect(report.healthy).toBe(false);
    expect(found(report, "connection")?.text).toContain("control_mode");
  });

  it("a probe reports a sensor that the policy requests and the task lacks", async () => {
    const report = await probe({ ...sound, sensors: ["rgb_front"] });
    expect(report.healthy).toBe(false);
    expect(found(report, "episode")?.text).toContain("requests rgb_front");
    expect(found(report, "episode")?.text).toContain("available sensors: qpos");
  });
});

describe("a probe of a task that the benchmark lacks", () => {
  it("a probe names the shipped benchmarks that have the task", async () => {
    const loaded = loadConfig(benchmark);
    const options = { agent: "random", task: "arm_pick_place", steps: 2 };
    await expect(probePolicy(loaded, options)).rejects.toMatchObject({
      code: "unknown_task",
      hint: expect.stringMatching(
        /^it has vln, .*; for arm_pick_place, add --benchmark manipulation_challenge$/,
      ),
    });
  });
});

describe("a probe without a task", () => {
  async function taskFor(policy: Policy, options: ServeOptions = {}): Promise<ProbeReport> {
    const server = await serve(policy, { port: 0, ...options });
    onTestFinished(() => server.close());
    const scheme = options.dialect ? `${options.dialect}+` : "";
    return probePolicy(loadConfig(benchmark), { agent: `${scheme}${server.url}`, steps: 2 });
  }

  it("a probe without a task takes the first task that has the policy sensors and conventions", async () => {
    expect((await taskFor({ sensors: ["instruction"], act: () => "stop" })).task).toBe("vln");
    expect((await taskFor({ sensors: ["qpos"], act: qposOf })).task).toBe("pick_place");
    const conventions = { action_space: "hybrid" };
    expect((await taskFor({ conventions, sensors: [], act: () => "stop" })).task).toBe(
      "pick_place",
    );
  });

  it("a probe without a task takes the task that lacks the fewest of the policy sensors if none has all", async () => {
    const sensors = ["rgb_head", "qpos", "radar"];
    const { task, findings } = await taskFor({ sensors, act: qposOf });
    expect(task).toBe("pick_place");
    expect(findings.map(({ text }) => text).join()).toContain("requests radar, which");
  });

  it("a probe without a task takes a manipulation task for an openpi server, which serves an arm", async () => {
    const report = await taskFor({ act: () => [0, 0, 0, 0, 0, 0, 0] }, { dialect: "openpi" });
    expect(report.task).toBe("pick_place");
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { McapIndexedReader } from "@mcap/core";
import { describe, expect, it } from "vitest";
import { exported, makeRun, REACH, WALK } from "./run.fixture.js";

/** A decoded message of unknown shape. */
interface Deep {
  readonly [key: string]: Deep | undefined;
}

interface Said {
  readonly topic: string;
  readonly seconds: number;
  readonly data: Deep;
}

async function read(path: string) {
  const bytes = readFileSync(path);
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
    },
  });
  const messages: Said[] = [];
  for await (const { channelId, logTime, data } of reader.readMessages({ validateCrcs: true })) {
    const topic = reader.channelsById.get(channelId)?.topic ?? "";
    const seconds = Number(logTime) / 1e9;
    messages.push({ topic, seconds, data: JSON.parse(Buffer.from(data).toString()) });
  }
  const schemas = [...reader.channelsById.values()].map(({ topic, schemaId, messageEncoding }) => {
    const schema = reader.schemasById.get(schemaId);
    return [topic, `${schema?.name} ${schema?.encoding} ${messageEncoding}`];
  });
  const metadata: Record<string, string> = {};
  for await (const { metadata: own } of reader.readMetadata()) {
    Object.assign(metadata, Object.fromEntries(own));
  }
  const on = (topic: string) => messages.filter((message) => message.topic === topic);
  return { messages, on, schemas: Object.fromEntries(schemas), metadata };
}

describe("the MCAP export of navigation", async () => {
  const run = await makeRun([
    {
      line: {
        metrics: { success: 0, spl: null },
        explanation: "stopped too early",
        initial_state_hash: "abc",
      },
      episode: {
        instruction: { text: "go there" },
        goals: { position: [0, 0, -3], radius: 3 },
        referenceData: {
          path: [
            [0, 0, 0],
            [0, 0, -3],
          ],
        },
      },
      records: WALK,
    },
  ]);
  const { out, episodes, notes } = await exported(run, { to: "mcap" });
  const [name = ""] = readdirSync(out);
  const { messages, on, schemas, metadata } = await read(join(out, name));

  it("the MCAP export of navigation writes one file per episode, named like its trajectory", () => {
    expect(episodes).toBe(1);
    expect(name).toBe("vln_hall_1.mcap");
  });

  it("the MCAP export of navigation writes Foxglove channels, and plain JSON channels with a schema", () => {
    expect(schemas).toEqual({
      "/log": "foxglove.Log jsonschema json",
      "/scene": "foxglove.SceneUpdate jsonschema json",
      "/tf": "foxglove.FrameTransforms jsonschema json",
      "/pose": "foxglove.PoseInFrame jsonschema json",
      "/state": "robot_eval.state jsonschema json",
      "/action": "robot_eval.action jsonschema json",
      "/metrics": "robot_eval.metrics jsonschema json",
    });
  });

  it("the MCAP export of navigation logs the instruction first and the outcome last", () => {
    expect(on("/log")).toMatchObject([
      { seconds: 0, data: { level: 2, name: "instruction", message: "go there" } },
      { seconds: 0.75, data: { level: 3, message: "failure (stop): stopped too early" } },
    ]);
    expect(on("/metrics")).toMatchObject([{ seconds: 0.75, data: { success: 0 } }]);
    expect(on("/metrics")[0]?.data).not.toHaveProperty("spl");
  });

  it("the MCAP export of navigation converts the robot pose to the axes of Foxglove: z up, x forward", () => {
    const [first, ahead] = on("/pose").map(({ data }) => data.pose);
    expect(first?.position).toEqual({ x: 0, y: 0, z: 0 });
    expect(ahead?.position).toEqual({ x: 0, y: 0.25, z: 0 });
    // Heading 0 is 90° to the left of x.
    expect(first?.orientation?.z).toBeCloseTo(Math.SQRT1_2, 12);
    expect(first?.orientation?.w).toBeCloseTo(Math.SQRT1_2, 12);
    expect(on("/tf")[1]?.data.transforms).toMatchObject([
      { parent_frame_id: "world", child_frame_id: "base_link", translation: { y: 0.25 } },
    ]);
  });

  it("the MCAP export of navigation exports the state as recorded", () => {
    expect(on("/state").map(({ data }) => data.position)).toEqual(
      WALK.map(({ state }) => state.position),
    );
  });

  it("the MCAP export of navigation gives an action the time of the state in which it was taken", () => {
    expect(on("/action").map(({ seconds, data }) => [seconds, data.name])).toEqual([
      [0, "move_forward"],
      [0.25, "turn_left"],
      [0.5, "stop"],
    ]);
    expect(notes).toContainEqual(expect.stringContaining("--fps"));
  });

  it("the MCAP export of navigation draws the goal, the reference path and the path taken from the beginning", () => {
    const [scene] = on("/scene");
    const ids = ["goal/0", "reference_path", "taken_path", "robot"];
    expect(scene?.data.entities).toMatchObject(ids.map((id) => ({ id })));
    expect(scene?.data.entities?.[0]?.spheres?.[0]).toMatchObject({
      pose: { position: { x: 0, y: 3, z: 0 } },
      size: { x: 6 },
    });
  });

  it("the MCAP export of navigation writes messages in time order", () => {
    const times = messages.map(({ seconds }) => seconds);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("the MCAP export of navigation stores the ids of the run and the episode as metadata", () => {
    expect(metadata).toMatchObject({
      run_id: "a-run",
      episode_key: "vln/hall/1",
      repeat: "0",
      initial_state_hash: "abc",
    });
  });
});

describe("the MCAP export of manipulation", async () => {
  const line = { task: "pick_place", task_type: "pick_place" };
  const run = await makeRun([
    { line, records: REACH },
    { line: { ...line, repeat: 1 }, records: REACH },
    { line: { ...line, episode_id: "2", outcome: "invalid" } },
  ]);

  it("the MCAP export of manipulation writes one file per repeat and omits episodes that never began", async () => {
    const { out, episodes, left_out } = await exported(run, { to: "mcap" });
    expect({ episodes, left_out }).toEqual({ episodes: 2, left_out: 1 });
    expect(readdirSync(out).sort()).toEqual([
      "pick_place_hall_1+r1.mcap",
      "pick_place_hall_1.mcap",
    ]);
  });

  it("the MCAP export of manipulation writes a single file for --episode, with objects, conditions and simulator time", async () => {
    const choice = { episode: "pick_place/hall/1", repeat: 1 };
    const { out } = await exported(run, { to: "mcap", ...choice });
    const { on, metadata } = await read(out);
    expect(metadata).toMatchObject({ repeat: "1" });
    expect(on("/tf")[1]?.data.transforms).toMatchObject([
      { child_frame_id: "end_effector", translation: { x: 0.5, y: 0.1, z: 1 } },
      { child_frame_id: "object/cup", translation: { x: 1, y: 0, z: 0.5 } },
    ]);
    expect(on("/conditions").map(({ seconds, data }) => [seconds, data.lifted?.value])).toEqual([
      [0, 0],
      [0.05, 0.1],
      [0.1, 0.2],
    ]);
    expect(on("/action")[1]?.data).toEqual({ step: 2, vector: [2, 0, 0, 0, 0, 0, 0.5] });
  });

  it("the MCAP export of manipulation writes identical bytes each time", async () => {
    const files = [];
    for (const _ of [1, 2]) {
      const { out } = await exported(run, { to: "mcap", episode: "pick_place/hall/1" });
      files.push(readFileSync(out));
    }
    expect(files[0]).toEqual(files[1]);
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { readTrajectory, type Trajectory } from "../../../runs/directory/trajectory.js";
import type { PoseTrack } from "../documents.js";
import { frameStrip } from "./frame-strip.js";
import { poseTrack } from "./pose-track.js";
import {
  fileIn,
  lastingFolder,
  type Recorded,
  readGlb,
  record,
  trianglesIn,
} from "./recorded.fixture.js";
import { sceneGlb } from "./scene-glb.js";

const folder = lastingFolder();

function posesIn(track: PoseTrack | undefined) {
  if (!track) throw new Error("no track");
  const bytes = Buffer.from(track.poses, "base64");
  return {
    ...track,
    numbers: bytes.length / 4,
    at(step: number, body: string): number[] {
      const first = (step * track.bodies.length + track.bodies.indexOf(body)) * 7;
      return Array.from({ length: 7 }, (_, i) => bytes.readFloatLE(4 * (first + i)));
    },
  };
}

function expectNear(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) {
    expect(Math.abs((found[i] ?? Number.NaN) - value)).toBeLessThan(1e-6);
  }
}

async function trajectoryOf({ run, line }: Recorded): Promise<Trajectory> {
  return readTrajectory(run.trajectoryOf(line) ?? "");
}

/** Changes the trajectory of an episode. */
function tampered({ run, info, line }: Recorded, name: string, change: (text: string) => string) {
  const text = gunzipSync(readFileSync(run.trajectoryOf(line) ?? "")).toString();
  writeFileSync(join(run.path, name), gzipSync(change(text)));
  return [run, info, { ...line, trajectory: name }] as const;
}

describe.each([
  ["pick_place", "unified_smoke", "link_wrist_yaw", 500],
  ["opening", "unified_smoke", "link_wrist_yaw", 40],
  ["arm_pick_place", "manipulation_challenge", "panda_hand", 40],
])("a manipulation episode (%s)", (task, benchmark, hand, max_steps) => {
  let episode: Recorded;
  let track: ReturnType<typeof posesIn>;
  beforeAll(async () => {
    episode = await record(folder, benchmark, task, {
      agent: "expert",
      set: [`evaluation.max_steps=${max_steps}`],
    });
    track = posesIn(await poseTrack(episode.run, episode.info, episode.line));
  });

  it("a manipulation episode has its objects at the recorded poses at every step", async () => {
    const { records } = await trajectoryOf(episode);
    expect(track.steps).toBe(records.length);
    expect(track.numbers).toBe(records.length * track.bodies.length * 7);
    for (const { step, state } of records) {
      for (const [name, { position, rotation_wxyz }] of Object.entries(state.objects ?? {})) {
        const [w, x, y, z] = rotation_wxyz;
        expectNear(track.at(step, name), [...position, x, y, z, w]);
      }
    }
    expect(track.at(track.steps - 1, hand)).not.toEqual(track.at(0, hand));
  });

  it("a manipulation episode has a world whose nodes are the bodies at their initial poses", async () => {
    const { run, info, line } = episode;
    const { name, bytes } = fileIn(await sceneGlb(run, info, line));
    expect(name).toMatch(/^[a-z]+-[0-9a-f]{16}$/);
    const document = await readGlb(bytes);
    const [root, ...others] = document.getRoot().listScenes()[0]?.listChildren() ?? [];
    expect(others).toEqual([]);
    const nodes = root?.listChildren() ?? [];
    const names = nodes.map((node) => node.getName());
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(["world", ...track.bodies]);
    for (const node of nodes.slice(1)) {
      const pose = [...node.getTranslation(), ...node.getRotation()];
      expectNear(track.at(0, node.getName()), pose);
    }
    expect(trianglesIn(document)).toBeGreaterThan(1000);
    // The robot is above the floor in glTF's y axis.
    const robot = nodes.filter((node) => node.getExtras().category === "robot");
    expect(robot.length).toBeGreaterThan(5);
    const heights = robot.map((node) => node.getWorldTranslation()[1]);
    expect(Math.min(...heights)).toBeGreaterThan(-1e-6);
    expect(Math.max(...heights)).toBeGreaterThan(0.5);
  });
});

describe("the replay of a recorded episode", () => {
  let episode: Recorded;
  let walk: Recorded;
  beforeAll(async () => {
    episode = await record(folder, "unified_smoke", "pick_place", {
      agent: "random",
      set: ["evaluation.max_steps=90"],
    });
    walk = await record(folder, "unified_smoke", "vln", { agent: "shortest-path" });
  });

  it("the replay of a recorded episode is rejected at the first step that differs", async () => {
    const changed = tampered(episode, "other.jsonl.gz", (text) => {
      const lines = text.split("\n");
      const record = JSON.parse(lines[5] ?? "");
      lines[5] = JSON.stringify({ ...record, state: { ...record.state, gripper_state: 7 } });
      return lines.join("\n");
    });
    await expect(poseTrack(...changed)).rejects.toThrow("at step 4: gripper_state was 7");
    await expect(frameStrip(...changed, 60)).rejects.toThrow("at step 4");
  });

  it("the replay of a recorded episode is rejected if the trajectory is damaged, and undefined if there is none", async () => {
    const cut = tampered(episode, "cut.jsonl.gz", (text) => text.slice(0, text.length / 2));
    await expect(poseTrack(...cut)).rejects.toThrow("not valid JSON");
    const { run, info, line } = episode;
    const bare = { ...line, trajectory: null };
    expect(await poseTrack(run, info, bare)).toBeUndefined();
    expect(await frameStrip(run, info, bare, 60)).toBeUndefined();
    expect(await sceneGlb(run, info, bare)).toEqual({
      note: expect.stringContaining("trajectory was not saved"),
    });
  });

  it("the replay of a recorded episode has images of the cameras of the arm at no more steps than asked for, including the first and last", async () => {
    const strip = await frameStrip(episode.run, episode.info, episode.line, 16);
    expect(strip?.sensors).toEqual(["rgb_head", "rgb_wrist"]);
    const steps = strip?.frames.map(({ step }) => step) ?? [];
    expect(steps).toHaveLength(16);
    expect([steps[0], steps.at(-1)]).toEqual([0, 90]);
    expect(new Set(steps).size).toBe(16);
  });

  it("the replay of a recorded episode has images of a navigation episode that change with the steps", async () => {
    const strip = await frameStrip(walk.run, walk.info, walk.line, 16);
    expect(strip?.sensors).toEqual(["rgb"]);
    expect(strip?.frames).toHaveLength(Math.min(16, walk.line.steps + 1));
    const pictures = (strip?.frames ?? []).map(({ images }) => images.rgb ?? "");
    expect(new Set(pictures).size).toBeGreaterThan(10);
    const webp = Buffer.from(pictures[0]?.split(",")[1] ?? "", "base64");
    expect(await sharp(webp).metadata()).toMatchObject({ format: "webp", width: 320, height: 240 });
  });

  it("the replay of a recorded episode has no pose track for navigation, and no images without cameras", async () => {
    expect(await poseTrack(walk.run, walk.info, walk.line)).toBeUndefined();
    const { run, info, line } = await record(folder, "vln_graph", "vln", { agent: "random" });
    expect(await frameStrip(run, info, line, 60)).toBeUndefined();
  });
});

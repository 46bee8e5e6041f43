import { describe, expect, it } from "vitest";
import {
  episodeDict,
  episodeLine,
  evaluate,
  makeWorld,
  positionOf,
  runInfo,
  temporaryFolder,
} from "../../test/support/cli.js";
import { objOf, sceneFolder, TWO_ROOMS } from "../../test/support/obj-scene.js";
import { BaseEpisode } from "../core/episode/base.js";
import { DataError } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import type { StepState } from "../core/interfaces/step.js";
import { topDownSvg } from "../simulator/maps/top-down.js";
import { findEpisode } from "./directory/find-episode.js";
import { RunDirectory } from "./directory/run-directory.js";
import { RunWriter } from "./directory/run-writer.js";
import { TrajectoryBuffer } from "./directory/trajectory.js";
import { mapOfLine } from "./episode-map.js";

async function episodeMap(path: string, key: string, options?: Parameters<typeof mapOfLine>[3]) {
  const run = await RunDirectory.open(path);
  return mapOfLine(run, await run.info(), await findEpisode(run, key), options);
}

/** A run of one episode with the given steps. */
async function runOf(episode: BaseEpisode, states: readonly StepState[]): Promise<string> {
  const info = runInfo({ config: { vln_task: { config: { profile: "vlnce" } }, simulator: {} } });
  const writer = await RunWriter.create(temporaryFolder(), info, "", "live");
  const line = episodeLine({
    scene_id: episode.sceneId,
    episode_id: episode.episodeId,
    explanation: "stopped 3.20 m from the goal (needs less than 3 m)",
  });
  const steps = new TrajectoryBuffer(episode);
  for (const [step, state] of states.entries()) steps.add({ step, action: null, state });
  await append(writer, line, await writer.saveTrajectory(line, steps));
  return writer.path;
}

async function append(writer: RunWriter, line: EpisodeLine, trajectory: string | null) {
  await writer.append({ ...line, trajectory });
  await writer.abandon();
}

const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (!(error instanceof DataError)) throw new Error(`no DataError but ${error}`);
  return error;
};

describe("the map of an episode on a graph", async () => {
  const { run_dir } = await evaluate(makeWorld());
  const map = await episodeMap(run_dir ?? "", "vln/hall/1");

  it("a map on a graph shows the paths and the goal but no floor surface", () => {
    const way = (["a", "b", "c", "d"] as const).map(positionOf);
    expect(map.surface.polygons).toEqual([]);
    expect(map.reference).toEqual(way);
    expect(map.taken?.[0]?.position).toEqual(way[0]);
    expect(map.taken?.at(-1)?.position).toEqual(way[3]);
    expect(map.goals).toEqual([way[3]]);
    expect(map.start).toMatchObject({ position: way[0], headingRad: 0 });
    expect(map.successDistanceM).toBe(3);
    expect(topDownSvg(map)).toContain("reference path");
  });

  it("the map title has the instruction and the outcome", () => {
    expect(map.title).toMatch(/^vln hall 1: .*0\.00 m from the goal/);
  });

  it("the map of an episode on a graph finds an episode by an id that is unique in the run", async () => {
    expect((await episodeMap(run_dir ?? "", "3")).title).toMatch(/^vln hall 3: /);
    const error = await failure(episodeMap(run_dir ?? "", "1"));
    expect(error.hint).toBe("several have that id: vln/hall/1, vln/yard/1");
  });

  it("the map of an episode on a graph suggests the closest key for an unknown episode", async () => {
    const error = await failure(episodeMap(run_dir ?? "", "vln/hal/4"));
    expect(error).toMatchObject({ code: "unknown_episode" });
    expect(error.hint).toMatch(/^did you mean "vln\/hall\/4"\?/);
  });
});

describe("the map of an episode in a scene", () => {
  const episode = BaseEpisode.fromDict({ ...episodeDict("7", "a", "b"), scene_id: "rooms.obj" });
  const states: StepState[] = [
    { position: [-2, 0, 1.5], heading: -Math.PI / 2, collided: false },
    { position: [-1.75, 0, 1.5], heading: -Math.PI / 2, collided: true },
  ];

  it("a map in a scene shows the floor surface and the obstacles of the scene", async () => {
    const source = sceneFolder({ "rooms.obj": objOf(TWO_ROOMS) });
    const map = await episodeMap(await runOf(episode, states), "vln/rooms.obj/7", { source });
    expect(map.surface.polygons.length).toBeGreaterThan(2);
    expect(map.model?.instances.length).toBeGreaterThan(0);
    expect(map.taken?.map(({ collided }) => collided)).toEqual([false, true]);
    expect(map.start).toEqual({ position: [-2, 0, 1.5], headingRad: -Math.PI / 2 });
    expect(map.title).toBe("vln rooms.obj 7: stopped 3.20 m from the goal (needs less than 3 m)");
    expect(topDownSvg(map)).toContain("within 3 m of the goal");
  });

  it("robot-eval map rejects a scene that differs from the recorded one", async () => {
    const source = sceneFolder({ "rooms.obj": objOf(TWO_ROOMS) });
    const [first, ...rest] = states;
    const run = await runOf(episode, [{ ...first, scene_sha256: "of another" }, ...rest]);
    const error = await failure(episodeMap(run, "vln/rooms.obj/7", { source }));
    expect(error.code).toBe("other_scene");
  });
});

describe("the map of an incomplete episode", () => {
  const episode = BaseEpisode.fromDict(episodeDict("1", "a", "b"));

  it("robot-eval map rejects an episode without a saved trajectory", async () => {
    const writer = await RunWriter.create(temporaryFolder(), runInfo(), "", "live");
    await append(writer, episodeLine(), null);
    const error = await failure(episodeMap(writer.path, "vln/hall/1"));
    expect(error).toMatchObject({
      code: "no_trajectory",
      hint: "run the benchmark again with `output.save_trajectories: true`",
    });
  });

  it("robot-eval map rejects an episode whose steps have no positions", async () => {
    const error = await failure(episodeMap(await runOf(episode, [{ qpos: [1] }]), "vln/hall/1"));
    expect(error.code).toBe("no_positions");
  });
});

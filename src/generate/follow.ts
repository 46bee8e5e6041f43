import { BaseEpisode, episodeKey } from "../core/episode/base.js";
import type { StepState } from "../core/interfaces/step.js";
import type { Vec3 } from "../core/math/vec3.js";
import type { SceneSource } from "../core/scene/source.js";
import { createRegistries } from "../registry/registries.js";
import type { Follow } from "./vln.js";

/** Follows a path in a simulator; close it after use. */
export interface Follower {
  readonly follow: Follow;
  close(): Promise<void>;
}

/** A path of 30 m has 120 steps and some turns; more steps than this mean that the follower is lost. */
const MAX_STEPS = 1000;

/** Follows paths with the vln task's own actions in the navmesh simulator, as VLN-CE did for its ground truth. */
export async function pathFollower(scenes: SceneSource | undefined): Promise<Follower> {
  const { tasks, simulators, agents } = createRegistries();
  const task = tasks.get("vln", {});
  const simulator = await simulators.get("navmesh").create({
    task,
    config: { sensors: {} },
    scenes,
  });
  const agent = await agents.get("shortest-path").create({});
  const follow: Follow = async (draft) => {
    const episode = new BaseEpisode({ ...draft, episodeId: "0" });
    let frame = await simulator.reset(episode, { seed: 0 });
    await agent.reset({
      taskType: episode.taskType,
      episodeId: episode.episodeId,
      sceneId: episode.sceneId,
      episodeKey: episodeKey("vln", episode.sceneId, episode.episodeId),
      episode: {},
      actionSpace: simulator.actionSpace,
      seed: 0,
      privileged: simulator.privileged,
    });
    const locations: Vec3[] = [positionIn(frame.state)];
    const actions: string[] = [];
    while (actions.length < MAX_STEPS) {
      const action = String(await agent.act(frame.observation));
      actions.push(action);
      const leftM = frame.state.distance_to_goal ?? Number.POSITIVE_INFINITY;
      if (action === "stop") return { locations, actions, leftM };
      frame = await simulator.step(action);
      if (action === "move_forward") locations.push(positionIn(frame.state));
    }
    return undefined;
  };
  return { follow, close: async () => simulator.close() };
}

function positionIn({ position }: StepState): Vec3 {
  if (position) return position;
  throw new Error("the navmesh simulator returned no position");
}

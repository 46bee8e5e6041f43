import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BaseEpisode } from "../../core/episode/base.js";
import { GivenOrder, type Job, type JobQueue, SceneOrder } from "./queue.js";

/** `"aab"`: two episodes in scene a, then one in scene b. */
function jobs(scenes: string): Job[] {
  return [...scenes].map((sceneId, i) => ({
    task: "vln",
    repeat: 0,
    attempt: 1,
    episode: new BaseEpisode({ episodeId: String(i), taskType: "vln", sceneId }),
  }));
}

/** Who asks, one after the other; what each is given. */
function given(queue: JobQueue, askers: readonly number[]): (string | undefined)[] {
  return askers.map((worker) => {
    const episode = queue.take(worker)?.episode;
    return episode && episode.sceneId + episode.episodeId;
  });
}

describe("the order given", () => {
  it("the order given gives jobs in their order to any worker until the queue is empty", () => {
    const queue = new GivenOrder(jobs("aba"));
    expect(queue.size).toBe(3);
    expect(given(queue, [0, 1])).toEqual(["a0", "b1"]);
    expect(queue.size).toBe(1);
    expect(given(queue, [0, 0, 1])).toEqual(["a2", undefined, undefined]);
    expect(queue.size).toBe(0);
  });
});

describe("the order by scene", () => {
  it("the order by scene keeps a worker in its scene, and others out while another scene is free", () => {
    const queue = new SceneOrder(jobs("abcabc"));
    expect(given(queue, [0, 1, 0, 1])).toEqual(["a0", "b1", "a3", "b4"]);
    expect(given(queue, [1, 0])).toEqual(["c2", "c5"]);
  });

  it("the order by scene sends an idle worker to the scene with the most jobs left", () => {
    const queue = new SceneOrder(jobs("aabbbb"));
    expect(given(queue, [0, 1])).toEqual(["a0", "b2"]);
    expect(given(queue, [2, 2, 0])).toEqual(["b3", "b4", "a1"]);
    expect(given(queue, [0, 1, 2])).toEqual(["b5", undefined, undefined]);
  });

  it("the order by scene gives each job exactly once in any order of takes", () => {
    const askers = fc.array(fc.nat({ max: 4 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), askers, (scenes, workers) => {
        const all = jobs(scenes.replace(/[^a-z]/g, "a"));
        const queue = new SceneOrder(all);
        const taken = workers.flatMap((worker) => queue.take(worker) ?? []);
        expect(queue.size).toBe(0);
        expect(new Set(taken)).toEqual(new Set(all));
        expect(taken).toHaveLength(all.length);
      }),
    );
  });
});

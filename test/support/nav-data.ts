import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type BaseEpisode, goalPoints } from "../../src/core/episode/base.js";
import { quatXyzwToHeading } from "../../src/core/math/rotation.js";
import { distance3, type Vec3 } from "../../src/core/math/vec3.js";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { generateEpisodes } from "../../src/generate/generate.js";
import { createRegistries } from "../../src/registry/registries.js";
import { sceneLibrary } from "../../src/simulator/navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../../src/simulator/navmesh/settings.js";
import { generateApartment } from "../../src/simulator/scenes/apartment/apartment.js";
import type { SceneModel } from "../../src/simulator/scenes/model.js";
import { InstructionReader, inside, type Landmark } from "./instruction-reader.js";

const root = new URL("../../", import.meta.url);
const script: {
  readonly SPLITS: Readonly<Record<string, { readonly scenes: string; readonly seed: number }>>;
} = await import(new URL("scripts/make-nav-data.mjs", root).href);
const dataDir = fileURLToPath(new URL("data/navmesh", root));
const TASKS = ["vln", "objectnav", "image_nav"] as const;
const FIRST = { train: 0, val: 100 } as const;
/** Indices of the scenes whose distances are recomputed: loading a scene takes about a second. */
const SAMPLE = [0, 7, 14];

async function episodesOf(task: string, split: string): Promise<BaseEpisode[]> {
  const { formats } = createRegistries();
  const path = join(dataDir, task, `${split}.json.gz`);
  const episodes: BaseEpisode[] = [];
  for await (const episode of loadEpisodes({ path, formats })) episodes.push(episode);
  return episodes;
}

const apartments = new Map<string, SceneModel>();
function apartment(sceneId: string): SceneModel {
  const known = apartments.get(sceneId) ?? generateApartment(Number(sceneId.split("/")[1]));
  apartments.set(sceneId, known);
  return known;
}

function positionOf({ startState, episodeId }: BaseEpisode): Vec3 {
  if (startState.position) return startState.position;
  throw new Error(`episode ${episodeId} has no start`);
}

/** Tests of a split of the shipped navigation data. */
export function describeNavData(split: keyof typeof FIRST): void {
  describe(`the ${split} split of data/navmesh`, () => {
    const scenes = Array.from({ length: 20 }, (_, i) => `apartment/${FIRST[split] + i}`);

    describe.each(TASKS)("%s", (task) => {
      let episodes: BaseEpisode[];
      beforeAll(async () => {
        episodes = await episodesOf(task, split);
      });

      it("a split has 100 episodes, five in each of 20 apartments", () => {
        const counts = scenes.map((id) => episodes.filter(({ sceneId }) => sceneId === id).length);
        expect(counts).toEqual(scenes.map(() => 5));
        expect(episodes).toHaveLength(100);
        expect(new Set(episodes.map(({ episodeId }) => episodeId)).size).toBe(100);
      });

      it("goals are reachable, with correct geodesic distances of 5 to 30 m", async () => {
        for (const i of SAMPLE) {
          const sceneId = scenes[i] ?? "";
          const scene = await sceneLibrary.scene(sceneId, undefined, HABITAT_NAVMESH);
          for (const episode of episodes.filter((one) => one.sceneId === sceneId)) {
            const start = positionOf(episode);
            expect(scene.navMesh.isNavigable(start)).toBe(true);
            const goals = goalPoints(episode).map(({ position }) => position);
            const geodesic = scene.navMesh.distanceToAny(start, goals);
            expect(episode.taskConfig.geodesic_distance).toBeCloseTo(geodesic, 3);
            expect(geodesic).toBeGreaterThanOrEqual(5);
            expect(geodesic).toBeLessThanOrEqual(30);
          }
          scene.release();
        }
      });

      it("data/navmesh equals the output of its generation script", async () => {
        // Scenes are generated independently, so one is enough.
        const sceneId = scenes[3] ?? "";
        const made = await generateEpisodes({
          task,
          scenes: { kind: "listed", ids: [sceneId] },
          seed: script.SPLITS[split]?.seed ?? -1,
          count: 5,
        });
        const shipped = episodes.filter((one) => one.sceneId === sceneId);
        const plain = ({ startState, goals, instruction, referenceData }: BaseEpisode) => {
          const { objects: _, ...held } = goals;
          return [startState, held, instruction.text, referenceData];
        };
        expect(JSON.stringify(shipped.map(plain))).toBe(JSON.stringify(made.episodes.map(plain)));
      });
    });

    it("every ObjectNav view point has another within 0.1 m", async () => {
      const seen = new Set<string>();
      for (const { sceneId, goals } of await episodesOf("objectnav", split)) {
        const key = `${sceneId} ${goals.object_category}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const points = goals.view_points ?? [];
        expect(points.length).toBeGreaterThanOrEqual(12);
        const cells = new Map(points.map((point) => [cellOf(point, 0, 0), point]));
        const apart = points.filter((point) => {
          const around = [
            cellOf(point, 1, 0),
            cellOf(point, -1, 0),
            cellOf(point, 0, 1),
            cellOf(point, 0, -1),
          ];
          return !around.some((cell) => distance3(cells.get(cell) ?? [9e9, 0, 0], point) <= 0.1);
        });
        expect(apart, key).toEqual([]);
      }
    });

    it("a rule-based reader finds at least 95 of 100 goals by the instructions", async () => {
      const episodes = await episodesOf("vln", split);
      const lost: string[] = [];
      let landmarks = 0;
      for (const episode of episodes) {
        const scene = apartment(episode.sceneId);
        const [x, , z] = positionOf(episode);
        const [goalX, , goalZ] = episode.goals.position ?? [0, 0, 0];
        const { text = "" } = episode.instruction;
        const reader = new InstructionReader(scene, [x, z], headingOf(episode));
        try {
          reader.follow(text);
          const away = Math.hypot(reader.at[0] - goalX, reader.at[1] - goalZ);
          if (!inside(reader.room.outline, [goalX, goalZ]) || away > 3) lost.push(text);
        } catch (error) {
          lost.push(`${text} (${error})`);
        }
        for (const landmark of reader.landmarks) {
          landmarks++;
          expect(isPassed(scene, episode, landmark), `${landmark.category} in: ${text}`).toBe(true);
        }
      }
      process.stdout.write(
        `${split}: the reader found ${100 - lost.length} of 100 goals; ${landmarks} landmarks are true\n`,
      );
      expect(lost.length, lost.join("\n")).toBeLessThanOrEqual(5);
      expect(landmarks).toBeGreaterThan(100);
    });

    it("instructions are varied and without duplicates", async () => {
      const texts = (await episodesOf("vln", split)).map(
        ({ instruction }) => instruction.text ?? "",
      );
      expect(new Set(texts).size).toBe(100);
      expect(
        new Set(
          texts
            .join(" ")
            .toLowerCase()
            .match(/[a-z]+/g),
        ).size,
      ).toBeGreaterThan(60);
      for (const text of texts)
        expect(text).toMatch(/room|kitchen|corridor|hallway|office|laundry|storage/);
    });
  });
}

/** View points are on a grid of 0.09 m. */
function cellOf([x, , z]: Vec3, dx: number, dz: number): string {
  return `${Math.round(x / 0.09) + dx} ${Math.round(z / 0.09) + dz}`;
}

function headingOf({ startState }: BaseEpisode): number {
  return quatXyzwToHeading(startState.rotation ?? [0, 0, 0, 1]);
}

/** True if the reference path passes an object of a room on that side within 2 m. */
function isPassed(scene: SceneModel, { referenceData }: BaseEpisode, landmark: Landmark): boolean {
  const room = scene.rooms.find(({ name }) => name === landmark.room);
  const [thing, ...others] = scene.instances.filter((one) => {
    return one.category === landmark.category && one.room === landmark.room;
  });
  if (!room || !thing || others.length > 0) return false;
  const path = referenceData?.path ?? [];
  return path.slice(1).some((to, i) => {
    const from = path[i] as Vec3;
    return Array.from({ length: 21 }, (_, k) => k / 20).some((t) => {
      const x = from[0] + (to[0] - from[0]) * t;
      const z = from[2] + (to[2] - from[2]) * t;
      const gap = Math.hypot(
        Math.max(thing.min[0] - x, 0, x - thing.max[0]),
        Math.max(thing.min[2] - z, 0, z - thing.max[2]),
      );
      if (gap > 2 || !inside(room.outline, [x, z])) return false;
      const [ux, uz] = [to[0] - from[0], to[2] - from[2]];
      const cx = (thing.min[0] + thing.max[0]) / 2 - x;
      const cz = (thing.min[2] + thing.max[2]) / 2 - z;
      // Positive to the left: x is right and z is towards the viewer.
      const degrees = (Math.atan2(uz * cx - ux * cz, ux * cx + uz * cz) * 180) / Math.PI;
      const beside = landmark.side === "left" ? degrees : -degrees;
      return beside > 30 && beside < 150;
    });
  });
}

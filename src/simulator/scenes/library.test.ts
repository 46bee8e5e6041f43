import { rm, utimes, writeFile } from "node:fs/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hasSharedData, sharedData } from "../../../test/shared-data.js";
import type { SceneSource } from "../../core/scene/source.js";
import { NavMesh } from "../navigation/navmesh/navmesh.js";
import { HABITAT_NAVMESH } from "../navigation/navmesh/settings.js";
import { solidGeometry } from "./geometry.js";
import { SceneLibrary } from "./library.js";
import { loadScene } from "./load.js";
import { floorDocument, glb, temporaryFolder } from "./scene-files.fixture.js";

const write = temporaryFolder();

/** The id is the path. */
const here: SceneSource = { locate: async (id) => id };

const floor = async (name: string, size = 4) => write(name, await glb(floorDocument(size)));

beforeEach(() => {
  vi.restoreAllMocks();
});

describe("apartments", () => {
  it("are made from their seed alone, with a navmesh", async () => {
    const scene = await new SceneLibrary().scene("apartment/3", undefined, HABITAT_NAVMESH);
    const { id, navMeshFrom, warnings } = scene;
    expect([id, navMeshFrom, warnings]).toEqual(["apartment/3", "built", []]);
    expect(scene.model.id).toBe("apartment/3");
    expect(scene.navMesh.areaM2).toBeGreaterThan(10);
    const again = await new SceneLibrary().scene("apartment/3", here, HABITAT_NAVMESH);
    expect(again.sha256).toBe(scene.sha256);
    expect(again.model === scene.model).toBe(false);
    const other = await new SceneLibrary().scene("apartment/4", here, HABITAT_NAVMESH);
    expect(other.sha256).not.toBe(scene.sha256);
    for (const one of [scene, again, other]) one.release();
  });

  it.each([
    "apartment/",
    "apartment/-1",
    "apartment/1.5",
    "apartment/x",
    "apartment/007",
    "apartment/1e3",
  ])("are not made from %s", async (id) => {
    await expect(new SceneLibrary().scene(id, undefined, HABITAT_NAVMESH)).rejects.toMatchObject({
      code: "bad_scene_id",
      hint: expect.stringContaining("apartment/7"),
    });
  });
});

describe("scenes out of files", () => {
  it("are found by the source, read, and walked on", async () => {
    const file = await floor("a.glb");
    const scene = await new SceneLibrary().scene(file, here, HABITAT_NAVMESH);
    expect(scene.navMeshFrom).toBe("built");
    // 4 x 4 m without the body's radius of 0.1 m at the edges, give or take a voxel.
    expect(scene.navMesh.areaM2).toBeGreaterThan(13.5);
    expect(scene.navMesh.areaM2).toBeLessThan(15);
    scene.release();
  });

  it("need somebody who knows where they are", async () => {
    await expect(
      new SceneLibrary().scene("x.glb", undefined, HABITAT_NAVMESH),
    ).rejects.toMatchObject({
      code: "missing_scene",
      hint: expect.stringContaining("apartment/<seed>"),
    });
    await expect(new SceneLibrary().scene("x.glb", here, HABITAT_NAVMESH)).rejects.toMatchObject({
      code: "missing_scene",
    });
  });

  it("have a picture-maker of their own, made when first wanted", async () => {
    const file = await floor("a.glb");
    const library = new SceneLibrary();
    const [a, b] = [
      await library.scene(file, here, HABITAT_NAVMESH),
      await library.scene(file, here, HABITAT_NAVMESH),
    ];
    expect(a.renderer).toBe(b.renderer);
    a.release();
    b.release();
  });

  it("have a hash of what they are, not of where they lie", async () => {
    const library = new SceneLibrary();
    const hash = async (file: string, settings = HABITAT_NAVMESH) => {
      const scene = await library.scene(file, here, settings);
      scene.release();
      return scene.sha256;
    };
    const first = await hash(await floor("a.glb"));
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hash(await floor("elsewhere/b.glb"))).toBe(first);
    expect(await hash(await floor("c.glb", 5))).not.toBe(first);
    expect(await hash(await floor("a.glb"), { ...HABITAT_NAVMESH, agentRadiusM: 0.2 })).not.toBe(
      first,
    );
  });

  it.skipIf(!hasSharedData)("may be published levels", async () => {
    const library = new SceneLibrary();
    // Larger voxels than Habitat's, for the sake of time: the level is 60 m wide.
    const coarse = { ...HABITAT_NAVMESH, cellSizeM: 0.3 };
    for (const [name, settings] of [
      ["three-pathfinding/level.glb", HABITAT_NAVMESH],
      ["recast/nav_test.obj", coarse],
    ] as const) {
      const scene = await library.scene(sharedData(`nav_meshes/${name}`), here, settings);
      expect(scene.navMesh.areaM2).toBeGreaterThan(50);
      scene.release();
    }
  });
});

describe("a navmesh beside the scene", () => {
  /** Of a floor of 2 m, so that it shows which one is used. */
  async function smallNavMesh(file: string): Promise<void> {
    const { parts } = await loadScene("x", await floor("small/small.glb", 2));
    const navMesh = await NavMesh.build(solidGeometry({ parts }), HABITAT_NAVMESH, "small");
    await writeFile(file, navMesh.save());
    navMesh.dispose();
  }

  it.each([
    ["b.glb", "b.navmesh"],
    ["c.basis.glb", "c.basis.navmesh"],
    ["d.basis.glb", "d.navmesh"],
  ])("of %s named %s is used as Habitat would", async (scene, navMesh) => {
    const file = await floor(`beside/${scene}`);
    await smallNavMesh(file.replace(scene, navMesh));
    const loaded = await new SceneLibrary().scene(file, here, HABITAT_NAVMESH);
    expect(loaded.navMeshFrom).toBe("file");
    expect(loaded.navMesh.areaM2).toBeLessThan(4);
    loaded.release();
  });

  it("is not for another body: then one is made", async () => {
    const file = await floor("body/b.glb");
    await smallNavMesh(file.replace(".glb", ".navmesh"));
    const settings = { ...HABITAT_NAVMESH, agentRadiusM: 0.25 };
    const loaded = await new SceneLibrary().scene(file, here, settings);
    expect(loaded.navMeshFrom).toBe("built");
    expect(loaded.navMesh.areaM2).toBeGreaterThan(10);
    loaded.release();
  });

  it("that is broken is an error that names it and the way out", async () => {
    const file = await floor("junk/b.glb");
    const navMesh = await write("junk/b.navmesh", "this is no navmesh, but it is long enough");
    await expect(new SceneLibrary().scene(file, here, HABITAT_NAVMESH)).rejects.toMatchObject({
      code: "bad_navmesh",
      where: navMesh,
      hint: "replace it, or delete it and one will be made from the scene itself",
    });
    await rm(navMesh);
    const loaded = await new SceneLibrary().scene(file, here, HABITAT_NAVMESH);
    expect(loaded.navMeshFrom).toBe("built");
    loaded.release();
  });
});

describe("a library", () => {
  it("loads a scene once, at once or one after the other, until its file changes", async () => {
    const library = new SceneLibrary();
    const file = await floor("once.glb");
    const scenes = await Promise.all(
      [1, 2, 3].map(() => library.scene(file, here, HABITAT_NAVMESH)),
    );
    scenes.push(await library.scene(file, here, { ...HABITAT_NAVMESH }));
    expect(new Set(scenes.map(({ model }) => model)).size).toBe(1);
    await floor("once.glb", 6);
    await utimes(file, 1, 1);
    const changed = await library.scene(file, here, HABITAT_NAVMESH);
    expect(changed.navMesh.areaM2).toBeGreaterThan(30);
    for (const scene of [...scenes, changed]) scene.release();
  });

  it("frees the navmeshes of scenes that nobody uses any more, and of no others", async () => {
    const library = new SceneLibrary({ capacity: 2 });
    const files = await Promise.all([1, 2, 3, 4].map((i) => floor(`free/${i}.glb`, 2 + i)));
    const [one, two, three, four] = await Promise.all(
      files.map((file) => library.scene(file, here, HABITAT_NAVMESH)),
    );
    if (!one || !two || !three || !four) throw new Error("not loaded");
    const middle = [0, 0, 0] as const;
    for (const { navMesh } of [one, two, three, four]) expect(navMesh.snap(middle)).toBeDefined();
    one.release();
    three.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => one.navMesh.snap(middle)).toThrow();
    expect(() => three.navMesh.snap(middle)).toThrow();
    expect(two.navMesh.snap(middle)).toBeDefined();
    expect(four.navMesh.snap(middle)).toBeDefined();
    two.release();
    // Two may stay, though nobody uses one of them.
    expect(two.navMesh.snap(middle)).toBeDefined();
    four.release();
  });

  it("reads a broken scene once in a run, and again when it was mended", async () => {
    const library = new SceneLibrary();
    const file = await write("broken.glb", "glTF");
    const failures = new Set<unknown>();
    for (let i = 0; i < 20; i++) {
      await library
        .scene(file, here, HABITAT_NAVMESH)
        .catch((error: unknown) => failures.add(error));
    }
    expect(failures.size).toBe(1);
    expect([...failures][0]).toMatchObject({ code: "truncated_scene", where: file });
    await floor("broken.glb");
    const mended = await library.scene(file, here, HABITAT_NAVMESH);
    expect(mended.model.parts).toHaveLength(1);
    mended.release();
  });

  it("stays as small as it was, however many scenes pass through", async () => {
    const library = new SceneLibrary({ capacity: 2 });
    const file = await floor("pass.glb");
    const build = vi.spyOn(NavMesh, "build");
    const alive = new Set<NavMesh>();
    let most = 0;
    for (let i = 0; i < 30; i++) {
      const settings = { ...HABITAT_NAVMESH, agentHeightM: 1 + i / 100 };
      const scene = await library.scene(file, here, settings);
      alive.add(scene.navMesh);
      scene.release();
      await new Promise((resolve) => setImmediate(resolve));
      for (const navMesh of alive) {
        try {
          navMesh.snap([0, 0, 0]);
        } catch {
          alive.delete(navMesh);
        }
      }
      most = Math.max(most, alive.size);
    }
    expect(build).toHaveBeenCalledTimes(30);
    expect(most).toBe(2);
  });

  it("keeps at least one scene", () => {
    expect(() => new SceneLibrary({ capacity: 0 })).toThrow("1 or more scenes");
  });
});

import { rm, utimes, writeFile } from "node:fs/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import type { SceneSource } from "../../core/scene/source.js";
import { NavMesh } from "../navmesh/navmesh.js";
import { HABITAT_NAVMESH } from "../navmesh/settings.js";
import { solidGeometry } from "../scenes/geometry.js";
import { loadScene } from "../scenes/load.js";
import { floorDocument, glb, temporaryFolder } from "../scenes/scene-files.fixture.js";
import { SceneLibrary } from "./scene-library.js";

const write = temporaryFolder();

/** A source whose scene ids are file paths. */
const here: SceneSource = { locate: async (id) => id };

const floor = async (name: string, size = 4) => write(name, await glb(floorDocument(size)));

beforeEach(() => {
  vi.restoreAllMocks();
});

describe("generated apartments", () => {
  it("generated apartments are determined by their seed and have a navmesh", async () => {
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
  ])("SceneLibrary rejects the apartment id %s", async (id) => {
    await expect(new SceneLibrary().scene(id, undefined, HABITAT_NAVMESH)).rejects.toMatchObject({
      code: "bad_scene_id",
      hint: expect.stringContaining("apartment/7"),
    });
  });
});

describe("scenes read from files", () => {
  it("SceneLibrary reads a scene file that the source locates and builds its navmesh", async () => {
    const file = await floor("a.glb");
    const scene = await new SceneLibrary().scene(file, here, HABITAT_NAVMESH);
    expect(scene.navMeshFrom).toBe("built");
    // 4 x 4 m minus the body's radius of 0.1 m at the edges, to within a voxel.
    expect(scene.navMesh.areaM2).toBeGreaterThan(13.5);
    expect(scene.navMesh.areaM2).toBeLessThan(15);
    scene.release();
  });

  it("SceneLibrary rejects a scene file without a scene source", async () => {
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

  it("SceneLibrary creates the renderer of a scene on first use", async () => {
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

  it("SceneLibrary hashes scene files by content, not by location", async () => {
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
});

describeWithSharedData("published levels", () => {
  it.each([
    ["three-pathfinding/level.glb", HABITAT_NAVMESH],
    // Larger voxels than Habitat's, to save time: the level is 60 m wide.
    ["recast/nav_test.obj", { ...HABITAT_NAVMESH, cellSizeM: 0.3 }],
  ])("SceneLibrary loads the published scene %s", async (name, settings) => {
    const library = new SceneLibrary();
    const scene = await library.scene(sharedData(`nav_meshes/${name}`), here, settings);
    expect(scene.navMesh.areaM2).toBeGreaterThan(50);
    scene.release();
  });
});

describe("a .navmesh file next to the scene", () => {
  /** A navmesh of a 2 m floor, so that the area shows which navmesh is in use. */
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
  ])(
    "SceneLibrary uses for scene %s the .navmesh file %s, as in Habitat",
    async (scene, navMesh) => {
      const file = await floor(`beside/${scene}`);
      await smallNavMesh(file.replace(scene, navMesh));
      const loaded = await new SceneLibrary().scene(file, here, HABITAT_NAVMESH);
      expect(loaded.navMeshFrom).toBe("file");
      expect(loaded.navMesh.areaM2).toBeLessThan(4);
      loaded.release();
    },
  );

  it("SceneLibrary builds a navmesh for another body and ignores the .navmesh file", async () => {
    const file = await floor("body/b.glb");
    await smallNavMesh(file.replace(".glb", ".navmesh"));
    const settings = { ...HABITAT_NAVMESH, agentRadiusM: 0.25 };
    const loaded = await new SceneLibrary().scene(file, here, settings);
    expect(loaded.navMeshFrom).toBe("built");
    expect(loaded.navMesh.areaM2).toBeGreaterThan(10);
    loaded.release();
  });

  it("SceneLibrary reports a Git LFS pointer in place of a .navmesh file", async () => {
    const file = await floor("lfs/b.glb");
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    const navMesh = await write("lfs/b.navmesh", pointer);
    await expect(new SceneLibrary().scene(file, here, HABITAT_NAVMESH)).rejects.toMatchObject({
      code: "lfs_pointer",
      where: navMesh,
    });
  });

  it("SceneLibrary rejects a damaged .navmesh file by name with a hint", async () => {
    const file = await floor("junk/b.glb");
    const navMesh = await write("junk/b.navmesh", "this is not a navmesh, but it is long enough");
    await expect(new SceneLibrary().scene(file, here, HABITAT_NAVMESH)).rejects.toMatchObject({
      code: "bad_navmesh",
      where: navMesh,
      hint: "replace it, or delete it to have a navmesh built from the scene",
    });
    await rm(navMesh);
    const loaded = await new SceneLibrary().scene(file, here, HABITAT_NAVMESH);
    expect(loaded.navMeshFrom).toBe("built");
    loaded.release();
  });
});

describe("SceneLibrary", () => {
  it("SceneLibrary loads a scene once for concurrent and later requests until its file changes", async () => {
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

  it("SceneLibrary frees the navmeshes of released scenes only", async () => {
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
    // The capacity is two, so one unused scene may stay.
    expect(two.navMesh.snap(middle)).toBeDefined();
    four.release();
  });

  it("SceneLibrary reads a broken scene once, and again after the file changes", async () => {
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

  it("SceneLibrary keeps memory bounded over many scenes", async () => {
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

  it("SceneLibrary rejects a capacity of 0", () => {
    expect(() => new SceneLibrary({ capacity: 0 })).toThrow("at least 1; received 0");
  });
});

import { describe, expect, it, vi } from "vitest";
import { resolvePath } from "../../src/config/paths.js";
import { findScenes } from "../../src/generate/scenes.js";
import { layoutScenes } from "../../src/runs/bundle/scene-layout.js";
import { inside } from "../../src/server/view/inside.js";
import { readMjcf } from "../../src/simulator/manipulation/mjcf/files.js";
import { SceneDataset } from "../../src/simulator/scenes/habitat/dataset.js";

/** Files of a simulated Windows machine, keyed by path. */
const disk = vi.hoisted(() => new Map<string, string>());

vi.mock("node:path", async (load) => {
  const { win32 } = await load<typeof import("node:path")>();
  return { ...win32, default: win32 };
});

vi.mock("node:fs", async (load) => ({
  ...(await load<typeof import("node:fs")>()),
  existsSync: (path: string) => disk.has(path),
}));

vi.mock("node:fs/promises", async (load) => {
  const missing = (path: string) => Object.assign(new Error(`no ${path}`), { code: "ENOENT" });
  const textOf = async (path: string) => {
    const text = disk.get(path);
    if (text === undefined) throw missing(path);
    return text;
  };
  return {
    ...(await load<typeof import("node:fs/promises")>()),
    readFile: async (path: string, encoding?: string) =>
      encoding === undefined ? new TextEncoder().encode(await textOf(path)) : textOf(path),
    readdir: async (folder: string) => {
      const below = [...disk.keys()].filter((path) => path.startsWith(`${folder}\\`));
      if (below.length === 0) throw missing(folder);
      return [...new Set(below.map((path) => path.slice(folder.length + 1).split("\\")[0]))];
    },
    realpath: async (path: string) => {
      const { win32 } = await vi.importActual<typeof import("node:path")>("node:path");
      await textOf(win32.normalize(path));
      return win32.normalize(path);
    },
    stat: async (path: string) => {
      const { length: size } = await textOf(path);
      return { size, isFile: () => true, isDirectory: () => false };
    },
  };
});

function onDisk(...paths: readonly string[]): void {
  disk.clear();
  for (const path of paths) disk.set(path, "");
}

describe("the code on Windows paths", () => {
  it("the code on Windows paths finds benchmark data on another drive and in parent folders", () => {
    const config = { baseDir: "C:\\lab\\configs\\benchmarks" };
    onDisk("C:\\lab\\data\\vln.json");
    expect(resolvePath(config, "data/vln.json", "D:\\work")).toBe("C:\\lab\\data\\vln.json");
    expect(resolvePath(config, "E:\\vln.json", "D:\\work")).toBe("E:\\vln.json");
    expect(resolvePath(config, "lost.json", "D:\\work")).toBe("D:\\work\\lost.json");
  });

  it("the code on Windows paths names scenes with forward slashes, like episodes", async () => {
    onDisk("C:\\data\\scene_datasets\\hm3d\\val\\a.glb");
    const scenes = await findScenes("C:\\data\\scene_datasets\\hm3d\\val\\a.glb");
    expect(scenes).toMatchObject({ kind: "listed", ids: ["hm3d/val/a.glb"] });
  });

  it("the code on Windows paths uses forward slashes and no drive letters in bundles", () => {
    const file = "C:\\scenes\\flat\\flat.obj";
    const needed = {
      task: "vln",
      sceneId: "flat/flat.obj",
      root: "C:\\scenes",
      scene: { file, all: [file, "C:\\scenes\\flat\\maps\\wall.png"] },
    };
    const layout = layoutScenes([needed]);
    expect(layout.places).toEqual({ vln: { scenes: "scenes/1/scenes" } });
    expect(layout.filesOf(needed)?.map(({ to }) => to)).toEqual([
      "scenes/1/scenes/flat/flat.obj",
      "scenes/1/scenes/flat/maps/wall.png",
    ]);
  });

  it("the code on Windows paths excludes files on another drive than their scene from a bundle", () => {
    const file = "C:\\scenes\\flat.obj";
    const needed = {
      task: "vln",
      sceneId: "flat.obj",
      root: "C:\\scenes",
      scene: { file, all: [file, "D:\\maps\\wall.png"] },
    };
    expect(layoutScenes([needed]).filesOf(needed)).toBeUndefined();
  });

  it.each(["..\\secret", "D:\\secret", "D:secret", "\\secret", "../secret"])(
    "the code on Windows paths does not follow the object name %j out of a data set",
    async (name) => {
      onDisk("C:\\secret.glb", "D:\\secret.glb", "C:\\set\\objects\\chair.glb");
      const dataset = SceneDataset.ofFolder("C:\\set");
      expect(await dataset.find("objects", name)).toBeUndefined();
      const chair = await dataset.find("objects", "chair");
      expect(chair && (await dataset.path(chair, "render_asset"))).toBe(
        "C:\\set\\objects\\chair.glb",
      );
    },
  );

  it("the code on Windows paths serves only files below a folder, not siblings or files on other drives", async () => {
    onDisk("C:\\runs\\a\\run.json", "C:\\runs-old\\run.json", "D:\\run.json");
    expect(await inside("C:\\runs", "C:\\runs\\a\\run.json")).toBe("C:\\runs\\a\\run.json");
    for (const path of ["C:\\runs\\..\\runs-old\\run.json", "D:\\run.json"]) {
      await expect(inside("C:\\runs", path)).rejects.toMatchObject({ code: "outside_folder" });
    }
  });

  it("the code on Windows paths passes MuJoCo paths with forward slashes and no colon", async () => {
    disk.clear();
    disk.set("C:\\robots\\arm.xml", '<mujoco><include file="parts/hand.xml"/></mujoco>');
    disk.set("C:\\robots\\parts\\hand.xml", "<mujoco/>");
    const { main, files } = await readMjcf("C:\\robots\\arm.xml");
    expect(main).toBe("/C/robots/arm.xml");
    expect(Object.keys(files)).toEqual(["/C/robots/arm.xml", "/C/robots/parts/hand.xml"]);
  });
});

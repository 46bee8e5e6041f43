import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GeometryFolder, geometryFiles, readGeometry } from "./geometry.js";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const file = (text: string) => [hash(text), new TextEncoder().encode(text)] as const;

let run: string;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), "robot-eval-geometry-"));
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

describe("worlds that a run keeps", () => {
  it("come back as they were, and a file that two of them name is there once", async () => {
    const written: string[] = [];
    const folder = new GeometryFolder(run, (path) => written.push(path));
    const files = { "hand.obj": hash("hand") };
    const assets = new Map([file("hand")]);
    const [first, second] = await Promise.all([
      folder.save({ mjcf: "<mujoco a='1'/>", files, assets, groups: [1] }),
      // The simulator was told that the file is known.
      folder.save({ mjcf: "<mujoco a='2'/>", files, assets: new Map() }),
    ]);
    expect(readdirSync(join(run, "geometry"))).toHaveLength(3);
    expect(written).toHaveLength(3);
    const read = await readGeometry(run, { geometry: first });
    expect([read.mjcf, read.groups]).toEqual(["<mujoco a='1'/>", [1]]);
    expect(Buffer.from(read.files["hand.obj"] ?? []).toString()).toBe("hand");
    expect((await readGeometry(run, { geometry: second })).mjcf).toBe("<mujoco a='2'/>");
    expect(await geometryFiles(run, { geometry: second })).toEqual([
      second,
      `geometry/${hash("hand")}.gz`,
    ]);
  });

  it("are written once, also by a run that is taken up again; what a power cut left is mended", async () => {
    const world = { mjcf: "<mujoco/>", files: { a: hash("a") }, assets: new Map([file("a")]) };
    const geometry = await new GeometryFolder(run, () => {}).save(world);
    const asset = join(run, "geometry", `${hash("a")}.gz`);
    const numbers = () => [join(run, geometry), asset].map((path) => statSync(path).ino);
    const before = numbers();
    const toSync: string[] = [];
    const again = () => new GeometryFolder(run, (path) => toSync.push(path)).save(world);
    expect(await again()).toBe(geometry);
    expect(numbers()).toEqual(before);
    expect(toSync.sort()).toEqual([asset, join(run, geometry)].sort());
    writeFileSync(asset, "");
    await again();
    expect((await readGeometry(run, { geometry })).mjcf).toBe("<mujoco/>");
  });

  it("have no files to pass on where one of them is gone", async () => {
    const world = { mjcf: "<mujoco/>", files: { a: hash("a") }, assets: new Map([file("a")]) };
    const geometry = await new GeometryFolder(run, () => {}).save(world);
    rmSync(join(run, "geometry", `${hash("a")}.gz`));
    expect(await geometryFiles(run, { geometry })).toEqual([]);
    expect(await geometryFiles(run, { geometry: "../../etc/passwd" })).toEqual([]);
  });

  it("are refused where a file is not what it says it is", async () => {
    const world = { mjcf: "<mujoco/>", files: { a: hash("a") }, assets: new Map([file("a")]) };
    const geometry = await new GeometryFolder(run, () => {}).save(world);
    writeFileSync(join(run, "geometry", `${hash("a")}.gz`), gzipSync("b"));
    await expect(readGeometry(run, { geometry })).rejects.toThrow("not what its name says");
  });

  it.each(["../geometry.json.gz", "geometry/x.json.gz", `geometry/../${hash("a")}.json.gz`, ""])(
    "are not looked for at %j",
    async (geometry) => {
      await expect(readGeometry(run, { geometry })).rejects.toThrow("no name that a run gives");
    },
  );
});

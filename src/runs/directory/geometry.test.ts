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

describe("recorded geometry", () => {
  it("geometry round-trips, and a file that two scenes share is stored once", async () => {
    const written: string[] = [];
    const folder = new GeometryFolder(run, (path) => written.push(path));
    const files = { "hand.obj": hash("hand") };
    const assets = new Map([file("hand")]);
    const [first, second] = await Promise.all([
      folder.save({ mjcf: "<mujoco a='1'/>", files, assets, groups: [1] }),
      // The simulator omits a file that it has already sent.
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

  it("recorded geometry writes geometry once, also in a resumed run, which repairs files truncated by a power cut", async () => {
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

  it("recorded geometry returns no files when one of them is missing", async () => {
    const world = { mjcf: "<mujoco/>", files: { a: hash("a") }, assets: new Map([file("a")]) };
    const geometry = await new GeometryFolder(run, () => {}).save(world);
    rmSync(join(run, "geometry", `${hash("a")}.gz`));
    expect(await geometryFiles(run, { geometry })).toEqual([]);
    expect(await geometryFiles(run, { geometry: "../../etc/passwd" })).toEqual([]);
  });

  it("recorded geometry rejects a file that does not match its hash", async () => {
    const world = { mjcf: "<mujoco/>", files: { a: hash("a") }, assets: new Map([file("a")]) };
    const geometry = await new GeometryFolder(run, () => {}).save(world);
    writeFileSync(join(run, "geometry", `${hash("a")}.gz`), gzipSync("b"));
    await expect(readGeometry(run, { geometry })).rejects.toThrow("hash in its name");
  });

  it.each(["../geometry.json.gz", "geometry/x.json.gz", `geometry/../${hash("a")}.json.gz`, ""])(
    "recorded geometry does not read geometry from the path %j",
    async (geometry) => {
      await expect(readGeometry(run, { geometry })).rejects.toThrow("not a valid geometry name");
    },
  );
});

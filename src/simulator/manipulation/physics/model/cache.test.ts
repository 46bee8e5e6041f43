import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadMujoco } from "../mujoco.js";
import { Physics } from "../physics.js";
import { ModelCache } from "./cache.js";
import { compileModel } from "./compile.js";

const XML = `<mujoco><asset><mesh name="m" file="m.obj"/></asset>
  <worldbody><geom type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 0.5"><freejoint/><geom type="mesh" mesh="m" mass="1"/></body>
  </worldbody></mujoco>`;

/** A tetrahedron in a file that is large enough to be cached. */
const MESH = new TextEncoder().encode(
  `${`# ${"-".repeat(77)}\n`.repeat(7000)}v 0 0 0\nv 0.3 0 0\nv 0 0.2 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`,
);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "robot-eval-models-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return join(path, "models");
}

/** The state's hash after half a second. */
async function fallen(cache?: ModelCache, xml = XML): Promise<string> {
  const physics = await Physics.create(xml, { files: { "m.obj": MESH }, cache });
  onTestFinished(() => physics.dispose());
  physics.step(250);
  return physics.hash();
}

/** A placeholder for a compiled model, which shows when the cache is used and what it stores. */
class Spy extends ModelCache {
  readonly hits: boolean[] = [];

  override read(key: string): Uint8Array | undefined {
    const found = super.read(key);
    this.hits.push(found !== undefined);
    return found;
  }
}

describe("the cache of compiled models", () => {
  it("the cache of compiled models gives the same trajectory to the bit from a cached model as from a compiled one", async () => {
    const cache = new Spy({ folder: folder() });
    const states = [await fallen(), await fallen(cache), await fallen(cache)];
    expect(new Set(states).size).toBe(1);
    expect(cache.hits).toEqual([false, true]);
  });

  it("the cache of compiled models compiles a model again if its text, a file or the name of a file changes", async () => {
    const cache = new Spy({ folder: folder() });
    await fallen(cache);
    await fallen(cache, XML.replace('pos="0 0 0.5"', 'pos="0 0 0.6"'));
    const mujoco = await loadMujoco();
    const scaled = new TextEncoder().encode(new TextDecoder().decode(MESH).replace("0.3", "0.4"));
    compileModel(mujoco, XML, { "m.obj": scaled }, "", cache).delete();
    compileModel(mujoco, XML.replace("m.obj", "n.obj"), { "n.obj": MESH }, "", cache).delete();
    expect(cache.hits).toEqual([false, false, false, false]);
  });

  it("the cache of compiled models ignores a damaged file and writes it again", async () => {
    const path = folder();
    const cache = new Spy({ folder: path });
    const right = await fallen(cache);
    const [name = ""] = readdirSync(path);
    const whole = readFileSync(join(path, name));
    for (const damaged of [
      Buffer.from(whole.map((byte, i) => (i === whole.length - 9 ? byte ^ 1 : byte))),
      whole.subarray(0, whole.length / 2),
      Buffer.alloc(0),
    ]) {
      writeFileSync(join(path, name), damaged);
      expect(await fallen(cache)).toBe(right);
      expect(readFileSync(join(path, name)).equals(whole)).toBe(true);
    }
    expect(cache.hits).toEqual([false, false, false, false]);
  });

  it("the cache of compiled models compiles again if MuJoCo rejects a file with a valid checksum", async () => {
    const path = folder();
    const right = await fallen(new ModelCache({ folder: path }));
    const key = (readdirSync(path)[0] ?? "").replace(".mjb", "");
    new ModelCache({ folder: path }).write(key, new TextEncoder().encode("no model"));
    expect(await fallen(new ModelCache({ folder: path }))).toBe(right);
  });

  it("the cache of compiled models removes the models used least recently when it grows past its limit", () => {
    const path = folder();
    const cache = new ModelCache({ folder: path, mostBytes: 3000 });
    for (const [i, key] of ["a", "b"].entries()) {
      cache.write(key, new Uint8Array(1000));
      utimesSync(join(path, `${key}.mjb`), i + 1, i + 1);
    }
    expect(cache.read("a")).toHaveLength(1000);
    cache.write("c", new Uint8Array(1000));
    expect(readdirSync(path).sort()).toEqual(["a.mjb", "c.mjb"]);
  });

  it("the cache of compiled models keeps its files readable by this account only", () => {
    const path = folder();
    new ModelCache({ folder: path }).write("a", new Uint8Array(10));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, "a.mjb")).mode & 0o777).toBe(0o600);
  });

  it("the cache of compiled models does not use a folder that other accounts can write", () => {
    const path = folder();
    mkdirSync(path);
    const cache = new ModelCache({ folder: path });
    cache.write("a", new Uint8Array(10));
    chmodSync(path, 0o777);
    expect(cache.read("a")).toBeUndefined();
    cache.write("b", new Uint8Array(10));
    expect(readdirSync(path)).toEqual(["a.mjb"]);
  });

  it("the cache of compiled models is not used if its folder cannot be created", async () => {
    expect(await fallen(new ModelCache({ folder: "/proc/robot-eval" }))).toBe(await fallen());
  });
});

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  type FrameParity,
  ReferenceWorld,
} from "../../src/simulator/manipulation/parity/compare.js";
import { temporaryFolder } from "../support/cli.js";
import { installIfMissing } from "../support/debian.js";
import { pythonWith } from "../support/python.js";

/*
 * Images of other projects' models against those of MuJoCo's own renderer, in the version of the embedded MuJoCo. The
 * models come with PyPI packages; `npm run bench mujoco-look` compares more of them, and times.
 */

const at = (name: string) => fileURLToPath(new URL(`../../bench/${name}`, import.meta.url));
const MODELS = [
  "robosuite:Lift",
  "robosuite:Stack",
  "robosuite:Door",
  "robosuite:PickPlace",
  "robosuite:NutAssembly",
  "gymnasium:FetchPickAndPlace-v4",
  "gymnasium:HandManipulateBlock-v1",
  "gymnasium:FrankaKitchen-v1",
];
/** Values that every image reaches, and means over all images. Depth in metres, at 99 % of the pixels. */
const BOUNDS = { psnrDb: 26, ssim: 0.94, segmentation: 0.995, depthM: 0.002 };
const MEANS = { psnrDb: 30, ssim: 0.97 };
/** Models with coplanar boxes in one body, where rounding decides which box is seen. */
const COPLANAR: ReadonlySet<string> = new Set(["robosuite:NutAssembly"]);

const python = pythonWith(
  ...readFileSync(at("mujoco_look_requirements.txt"), "utf8").trim().split("\n"),
);
installIfMissing("libosmesa6", "ldconfig -p | grep -q libOSMesa");
const folder = temporaryFolder();
const why = python ? drawTheirs(python) : "no Python with MuJoCo, robosuite and Gymnasium-Robotics";
if (why) {
  if (process.env.CI) throw new Error(`${why}: under CI these tests must run`);
  process.stderr.write(`SKIPPED images against MuJoCo's own: ${why}\n`);
}

/** Lets MuJoCo draw all models; returns why it cannot here. Any other failure is an error. */
function drawTheirs(interpreter: string): string | undefined {
  const { status, stderr } = spawnSync(
    interpreter,
    [at("mujoco_look_peer.py"), folder, ...MODELS],
    {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    },
  );
  if (status === 0) return undefined;
  if (/osmesa/i.test(stderr)) return "the library OSMesa is missing (Debian: libosmesa6)";
  throw new Error(`MuJoCo's renderer failed:\n${stderr}`);
}

describe.skipIf(why !== undefined)("images of MuJoCo models against MuJoCo's own", () => {
  const frames: FrameParity[] = [];

  it.each(MODELS)(
    "%s looks as MuJoCo draws it",
    async (model) => {
      const world = await ReferenceWorld.open(join(folder, model.replace(":", "-")));
      try {
        expect(world.state).toMatchObject({ mujoco: "3.14.0", samples: 4 });
        for (const { name } of world.state.cameras) {
          const frame = await world.compare(name);
          frames.push(frame);
          const { psnrDb, ssim, depth, transparentDepth } = frame;
          const segmentation = COPLANAR.has(model) ? frame.bodies : frame.segmentation;
          expect(psnrDb, `PSNR of ${name}`).toBeGreaterThan(BOUNDS.psnrDb);
          expect(ssim, `SSIM of ${name}`).toBeGreaterThan(BOUNDS.ssim);
          expect(segmentation, `segmentation of ${name}`).toBeGreaterThan(BOUNDS.segmentation);
          expect(depth.p99M, `depth of ${name}`).toBeLessThan(BOUNDS.depthM);
          if (transparentDepth.pixels === 0) continue;
          expect(transparentDepth.p99M, `transparent ${name}`).toBeLessThan(BOUNDS.depthM);
        }
      } finally {
        world.dispose();
      }
    },
    120_000,
  );

  it("all models on average look as MuJoCo draws them", () => {
    const mean = (key: "psnrDb" | "ssim" | "segmentation") =>
      frames.reduce((sum, frame) => sum + frame[key], 0) / frames.length;
    expect(frames).toHaveLength(2 * MODELS.length);
    expect(mean("psnrDb")).toBeGreaterThan(MEANS.psnrDb);
    expect(mean("ssim")).toBeGreaterThan(MEANS.ssim);
    expect(mean("segmentation")).toBeGreaterThan(BOUNDS.segmentation);
  });
});

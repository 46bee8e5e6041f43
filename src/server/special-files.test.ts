import { cpSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { evaluate, makeWorld } from "../../test/support/cli.js";
import { makeOutside, SPECIAL_FILES } from "../../test/support/hostile-run.js";
import { documentAt, serve } from "./serve.fixture.js";
import type { RunsDocument } from "./view/documents.js";

const ADDRESSES = [
  ...["run.json", "scenes.json", "episodes-0.json"],
  ...["json", "svg", "thumb.svg", "frames.json"].map((ending) => `episodes/vln_hall_1.${ending}`),
  ...["episodes/vln_house.obj_1.json", "episodes/vln_house.obj_1.svg", "files/videos/a.mp4"],
];

// Windows has no such files.
describe.skipIf(process.platform === "win32")("a server of runs", () => {
  const traps = Object.entries(SPECIAL_FILES);
  let base: string;
  let good: string;

  beforeAll(async () => {
    const world = makeWorld();
    const run = (await evaluate(world)).run_dir ?? "";
    const outside = await makeOutside();
    await outside.close();
    const folder = join(world.root, "shown");
    mkdirSync(folder);
    good = basename(run);
    cpSync(run, join(folder, good), { recursive: true });
    for (const [i, [, set]] of traps.entries()) {
      cpSync(run, join(folder, `trap-${i}`), { recursive: true });
      set(join(folder, `trap-${i}`), outside);
    }
    base = await serve(folder);
  });

  it("a server of runs lists a folder of runs with pipes, devices and links to themselves", async () => {
    const { runs, damaged } = await documentAt<RunsDocument>(`${base}/api/runs.json`);
    expect(runs.map(({ id }) => id)).toContain(good);
    expect(runs.length + damaged.length).toBe(traps.length + 1);
    const at = (name: string) => traps.findIndex(([trap]) => trap === name);
    for (const name of ["run.json", "summary.json"]) {
      const id = `trap-${at(`a ${name} that is a pipe`)}`;
      expect(damaged).toContainEqual({
        id,
        problem: expect.objectContaining({ code: "not_plain" }),
      });
    }
  });

  it.each(traps.map(([trap], i) => [trap, i] as const))(
    "a server of runs answers every address of a run with %s",
    async (_, i) => {
      for (const address of ADDRESSES) {
        const response = await fetch(`${base}/api/runs/trap-${i}/${address}`);
        await response.arrayBuffer();
        expect([200, 404, 422], address).toContain(response.status);
      }
      const compared = await fetch(`${base}/api/compare/${good}..trap-${i}.json`);
      expect([200, 422]).toContain(compared.status);
    },
  );
});

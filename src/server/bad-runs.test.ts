import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { evaluate, makeWorld, temporaryFolder, type World } from "../../test/support/cli.js";
import { documentAt, problemAt, serve } from "./serve.fixture.js";
import type { EpisodeDocument, RunDocument, RunsDocument } from "./view/documents.js";

describe("a server of damaged or unusual runs", () => {
  let world: World;
  let base: string;
  let run: string;
  const first = "vln_hall_1";

  beforeAll(async () => {
    world = makeWorld();
    run = (await evaluate(world)).run_dir ?? "";
    base = await serve(world.out);
  });

  /** Copies the run under another name and changes the copy. */
  function copy(id: string, change: (folder: string) => void): string {
    cpSync(run, join(world.out, id), { recursive: true });
    change(join(world.out, id));
    return `${base}/api/runs/${id}`;
  }

  it("a server of damaged or unusual runs lists damaged runs and explains the damage when one is opened", async () => {
    const address = copy("damaged", (folder) => writeFileSync(join(folder, "run.json"), "{"));
    const { runs, damaged } = await documentAt<RunsDocument>(`${base}/api/runs.json`);
    expect(runs.map(({ id }) => id)).toContain(basename(run));
    expect(damaged).toEqual([
      { id: "damaged", problem: expect.objectContaining({ code: "damaged_file" }) },
    ]);
    expect(await problemAt(`${address}/run.json`)).toMatchObject({
      status: 422,
      code: "damaged_file",
    });
  });

  it("a server of damaged or unusual runs reports a damaged line of a run", async () => {
    const address = copy("line", (folder) => {
      const path = join(folder, "episodes.jsonl");
      writeFileSync(path, readFileSync(path, "utf8").replace("{", "["));
    });
    expect(await problemAt(`${address}/episodes-0.json`)).toMatchObject({
      status: 422,
      code: "damaged_line",
      where: expect.stringContaining("episodes.jsonl:1"),
    });
  });

  it("a server of damaged or unusual runs shows the rest of an episode whose trajectory is damaged", async () => {
    const address = copy("trajectory", (folder) =>
      writeFileSync(join(folder, "trajectories/vln_hall_1.jsonl.gz"), "nonsense"),
    );
    for (const ending of ["json", "svg", "thumb.svg"]) {
      expect(await problemAt(`${address}/episodes/${first}.${ending}`)).toMatchObject({
        status: 422,
        code: "damaged_gzip",
      });
    }
    await documentAt(`${address}/episodes/vln_hall_2.json`);
  });

  it("a server of damaged or unusual runs shows a run without trajectories from its lines", async () => {
    const { run_dir } = await evaluate(world, { set: ["output.save_trajectories=false"] });
    const address = `${base}/api/runs/${basename(run_dir ?? "")}/episodes`;
    const episode = await documentAt<EpisodeDocument>(`${address}/${first}.json`);
    expect(episode).toMatchObject({ records: [], events: [], has_map: false, replay: "" });
    expect(episode.why.find(({ metric }) => metric === "spl")).toMatchObject({
      value: 1,
      formula: null,
    });
    expect(await problemAt(`${address}/${first}.thumb.svg`)).toMatchObject({ status: 404 });
  });

  it("a server of damaged or unusual runs reads no files outside a run that names them", async () => {
    const secret = world.write("secret.json", { secret: true });
    const address = copy("outside", (folder) => {
      const path = join(folder, "episodes.jsonl");
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace("trajectories/vln_hall_1.jsonl.gz", "../../secret.json"));
      mkdirSync(join(folder, "videos"));
      symlinkSync(secret, join(folder, "videos/a.mp4"));
    });
    expect(await problemAt(`${address}/episodes/${first}.json`)).toMatchObject({
      status: 422,
      code: "damaged_line",
    });
    expect(await problemAt(`${address}/files/videos/a.mp4`)).toMatchObject({ status: 404 });
    const linked = copy("linked", (folder) => {
      renameSync(join(folder, "run.json"), join(world.root, "run.json"));
      symlinkSync(join(world.root, "run.json"), join(folder, "run.json"));
    });
    expect(await problemAt(`${linked}/run.json`)).toMatchObject({
      status: 422,
      code: "outside_folder",
    });
  });

  it("a server of damaged or unusual runs follows links within the folder and not out of it", async () => {
    symlinkSync(run, join(world.out, "alias"));
    const elsewhere = join(temporaryFolder(), "run");
    cpSync(run, elsewhere, { recursive: true });
    symlinkSync(elsewhere, join(world.out, "elsewhere"));
    await documentAt(`${base}/api/runs/alias/run.json`);
    expect(await problemAt(`${base}/api/runs/elsewhere/run.json`)).toMatchObject({ status: 404 });
  });

  it("a server of damaged or unusual runs shows a running run that no process writes as stale", async () => {
    copy("killed", (folder) => {
      const path = join(folder, "run.json");
      const info = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, JSON.stringify({ ...info, status: "running", finished_at: null }));
    });
    const { card } = await documentAt<RunDocument>(`${base}/api/runs/killed/run.json`);
    expect(card).toMatchObject({ status: "stale", planned: 6, episodes: { total: 6 } });
    writeFileSync(
      join(world.out, "killed/run.lock"),
      JSON.stringify({ pid: 1, host: "another-machine", started: null }),
    );
    const again = await documentAt<RunDocument>(`${base}/api/runs/killed/run.json`);
    expect(again.card.status).toBe("running");
  });

  it("a server of damaged or unusual runs sends ranges of the videos of a run", async () => {
    const address = copy("film", (folder) => {
      mkdirSync(join(folder, "videos"));
      writeFileSync(join(folder, "videos/vln_hall_1.mp4"), "0123456789");
    });
    const film = `${address}/files/videos/${encodeURIComponent("vln_hall_1.mp4")}`;
    const part = async (range: string) => {
      const response = await fetch(film, { headers: { Range: range } });
      return [response.status, response.headers.get("content-range"), await response.text()];
    };
    expect(await (await fetch(film)).text()).toBe("0123456789");
    expect(await part("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
    expect(await part("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await part("bytes=-2")).toEqual([206, "bytes 8-9/10", "89"]);
    expect(await part("bytes=0-99")).toEqual([206, "bytes 0-9/10", "0123456789"]);
    expect(await part("bytes=10-")).toEqual([416, "bytes */10", ""]);
    expect(await part("lines=1-2")).toEqual([200, null, "0123456789"]);
  });
});

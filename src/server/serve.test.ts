import { readFileSync } from "node:fs";
import { request } from "node:http";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { evaluate, makeWorld, type World } from "../../test/support/cli.js";
import type { RunSummary } from "../core/interfaces/result.js";
import { documentAt, problemAt, serve } from "./serve.fixture.js";
import type {
  CompareDocument,
  EpisodeDocument,
  EpisodePage,
  RunDocument,
  RunsDocument,
  ScenesDocument,
} from "./view/documents.js";

/** Sends a path that `fetch` and browsers would normalise. */
function statusOfRaw(base: string, path: string, host?: string): Promise<number | undefined> {
  const { hostname, port } = new URL(base);
  const headers = host === undefined ? {} : { host };
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("a server of runs", () => {
  let world: World;
  let base: string;
  let [good, bad] = ["", ""];
  const first = "vln_hall_1";

  beforeAll(async () => {
    world = makeWorld();
    good = basename((await evaluate(world)).run_dir ?? "");
    bad = basename((await evaluate(world, { agent: "random" })).run_dir ?? "");
    base = await serve(world.out);
  });

  it("a server of runs lists the runs with their summaries", async () => {
    const { runs, damaged, live } = await documentAt<RunsDocument>(`${base}/api/runs.json`);
    expect(runs.map(({ id }) => id).sort()).toEqual([good, bad].sort());
    expect([damaged, live]).toEqual([[], true]);
    const card = runs.find(({ id }) => id === good);
    const summary = summaryOf(good);
    expect(card).toMatchObject({ status: "done", planned: 6, episodes: summary.episodes });
    expect(card?.headlines[0]).toMatchObject({
      task: "vln",
      metric: "success",
      mean: summary.per_task.vln?.success?.mean,
      ci95: summary.per_task.vln?.success?.ci95,
    });
  });

  const summaryOf = (id: string) =>
    JSON.parse(readFileSync(join(world.out, id, "summary.json"), "utf8")) as RunSummary;

  it("a server of runs sends a run with its metrics and its scenes, worst first", async () => {
    const run = await documentAt<RunDocument>(`${base}/api/runs/${bad}/run.json`);
    expect(run.summary).toEqual(summaryOf(bad));
    expect(run.info.run_id).toBe(bad);
    expect(run.metrics.spl).toMatchObject({ direction: "higher", range: [0, 1] });
    expect(run.metrics.path_length?.range).toEqual([0, null]);
    const scenes = await documentAt<ScenesDocument>(`${base}/api/runs/${bad}/scenes.json`);
    const means = scenes.vln?.map(({ mean }) => mean ?? 2) ?? [];
    expect(means).toEqual([...means].sort((a, b) => a - b));
    expect(means.length).toBe(2);
  });

  it("a server of runs sends the episodes in pages, and 404 beyond the last", async () => {
    const { rows, pages } = await documentAt<EpisodePage>(
      `${base}/api/runs/${good}/episodes-0.json`,
    );
    expect([rows.length, pages]).toEqual([6, 1]);
    expect(rows.find(({ id }) => id === first)).toMatchObject({
      key: "vln/hall/1",
      outcome: "success",
      recorded: true,
      metrics: { success: 1, spl: 1 },
    });
    expect(await problemAt(`${base}/api/runs/${good}/episodes-1.json`)).toMatchObject({
      status: 404,
    });
  });

  it("a server of runs sends an episode step by step, with explanations and the commands to repeat it", async () => {
    const episode = await documentAt<EpisodeDocument>(
      `${base}/api/runs/${good}/episodes/${first}.json`,
    );
    expect(episode.records.length).toBe(episode.line.steps + 1);
    expect(episode.instruction).toBe("go to d");
    expect(episode.events.at(-1)).toMatchObject({ kind: "end" });
    expect(episode.why.find(({ metric }) => metric === "spl")?.substituted).toBe(
      "1 × 6 / max(6, 6) = 1",
    );
    expect(episode.reference_path.length).toBe(4);
    expect(episode.goals).toEqual([[4, 0, 2]]);
    expect(episode.rerun).toContain("--filter task=vln,scene=hall,id=1");
    expect(episode.replay).toMatch(/^robot-eval replay .* vln\/hall\/1$/);
    expect([episode.has_map, episode.has_track, episode.has_frames]).toEqual([true, false, false]);
    expect(episode.scene).toMatch(/^hall-/);
    const scene = await fetch(`${base}/api/scenes/${episode.scene}.glb`);
    expect(Buffer.from(await scene.arrayBuffer()).toString("latin1", 0, 4)).toBe("glTF");
  });

  it("a server of runs draws maps and thumbnails", async () => {
    for (const ending of ["svg", "thumb.svg"]) {
      const response = await fetch(`${base}/api/runs/${good}/episodes/${first}.${ending}`);
      expect(response.headers.get("content-type")).toContain("image/svg+xml");
      expect(await response.text()).toMatch(/^<svg .*<\/svg>\n$/s);
    }
    const track = await problemAt(`${base}/api/runs/${good}/episodes/${first}.track.json`);
    expect(track).toMatchObject({ status: 404, code: "no_picture" });
  });

  it("a server of runs compares two runs episode by episode", async () => {
    const address = `${base}/api/compare/${good}..${bad}.json`;
    const { comparison, episodes } = await documentAt<CompareDocument>(address);
    expect(comparison).toMatchObject({ a: { run_id: good }, b: { run_id: bad } });
    expect(episodes.length).toBe(comparison.episodes.compared);
    expect(episodes.find(({ id }) => id === first)?.a).toMatchObject({ outcome: "success" });
    const flipped = episodes.filter(({ a, b }) => a.outcome !== b.outcome).map(({ key }) => key);
    const { to_success, to_failure } = comparison.flipped;
    expect(flipped.sort()).toEqual([...to_success, ...to_failure].sort());
    expect(await problemAt(`${base}/api/compare/${good}..nothing.json`)).toMatchObject({
      status: 404,
      code: "unknown_run",
    });
  });

  it("a server of runs answers 304 to a browser that has the content, and compresses other responses", async () => {
    for (const address of [
      "",
      "/assets/main-1.js",
      "/api/runs.json",
      `/api/runs/${good}/run.json`,
    ]) {
      const etag = (await fetch(`${base}${address}`)).headers.get("etag") ?? "";
      const again = await fetch(`${base}${address}`, { headers: { "If-None-Match": `W/${etag}` } });
      expect([again.status, await again.text()], address).toEqual([304, ""]);
    }
    const packed = await fetch(`${base}/assets/main-1.js`);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("cache-control")).toContain("immutable");
    expect(await packed.text()).toContain("xxx");
    const plain = await fetch(`${base}/assets/main-1.js`, {
      headers: { "Accept-Encoding": "identity" },
    });
    expect(plain.headers.get("content-encoding")).toBeNull();
  });

  it("a server of runs forbids foreign scripts and framing", async () => {
    const { headers } = await fetch(base);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  it.each([
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/..%2f..%2fpackage.json",
    "/assets/..%5c..%5cpackage.json",
    "/api/runs/../run.json",
    "/api/runs/%2e%2e/run.json",
    "/api/runs/..%2f..%2fetc/run.json",
    "/api/runs/..%5c..%5cetc/run.json",
    "/api/runs/%00/run.json",
    "/api/runs/.%00./run.json",
    "/api/runs/RUN/files/..%2frun.json",
    "/api/runs/RUN/files/videos/..%2f..%2frun.json",
    "/api/runs/RUN/files/videos/../run.json",
    "/api/runs/RUN/files/run.json",
    "/api/runs/RUN/files/%2fetc%2fpasswd",
    "/api/runs/RUN/episodes/..%2f..%2frun.json",
    "/api/runs/RUN/episodes/%2e%2e.json",
    "/api/scenes/..%2f..%2fx.glb",
    "/api/compare/..%2f..json",
    "/api/compare/....json",
    "//etc/passwd",
  ])("a server of runs does not serve %s", async (path) => {
    expect(await statusOfRaw(base, path.replace("RUN", good))).toBe(404);
  });

  it("a server of runs explains what is wrong with an unknown address", async () => {
    expect(await problemAt(`${base}/api/runs/%zz/run.json`)).toMatchObject({ status: 400 });
    expect(await problemAt(`${base}/api/nothing`)).toMatchObject({ status: 404 });
    expect(await problemAt(`${base}/api/runs/none/run.json`)).toMatchObject({
      status: 404,
      code: "unknown_run",
    });
    expect(await problemAt(`${base}/api/runs/${good}/episodes/none.json`)).toMatchObject({
      status: 404,
      code: "unknown_episode",
    });
    expect(await problemAt(`${base}/api/runs.json`, { method: "POST" })).toMatchObject({
      status: 404,
    });
  });

  it("a server of runs rejects requests for another host name", async () => {
    const { port } = new URL(base);
    expect(await statusOfRaw(base, "/api/runs.json", "evil.example")).toBe(400);
    expect(await statusOfRaw(base, "/api/runs.json", `evil.example:${port}`)).toBe(400);
    expect(await statusOfRaw(base, "/api/runs.json", `localhost:${port}`)).toBe(200);
    expect(await statusOfRaw(base, "/api/runs.json", "[::1]:80")).toBe(200);
  });

  it("a server of runs shows a single run if its folder is given", async () => {
    const one = await serve(join(world.out, good));
    const { runs } = await documentAt<RunsDocument>(`${one}/api/runs.json`);
    expect(runs.map(({ id }) => id)).toEqual([good]);
    expect(await problemAt(`${one}/api/runs/${bad}/run.json`)).toMatchObject({ status: 404 });
  });

  it("a server of runs names the port that is in use", async () => {
    const { port } = new URL(base);
    await expect(serve(world.out, { port: Number(port) })).rejects.toMatchObject({
      code: "port_taken",
      hint: expect.stringContaining("--port"),
    });
  });

  it("a server of runs rejects a folder that does not exist", async () => {
    await expect(serve(join(world.root, "nothing"))).rejects.toMatchObject({ code: "no_folder" });
  });
});

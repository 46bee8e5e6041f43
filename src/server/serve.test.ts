import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluate, makeWorld, temporaryFolder, type World } from "../../test/support/cli.js";
import type { RunSummary } from "../core/interfaces/result.js";
import { createViewServer, type ViewServer, type ViewServerOptions } from "./serve.js";
import type {
  CompareDocument,
  EpisodeDocument,
  EpisodePage,
  Problem,
  RunDocument,
  RunsDocument,
} from "./view/documents.js";

const TOKEN = "0123456789abcdef";
const page = temporaryFolder();
mkdirSync(join(page, "assets"));
writeFileSync(join(page, "index.html"), "<!doctype html><title>page</title>");
writeFileSync(join(page, "assets/main-1.js"), `export const text = "${"x".repeat(3000)}";`);

const servers: ViewServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

async function serve(runs: string, more: Partial<ViewServerOptions> = {}): Promise<string> {
  const server = await createViewServer({ runs, webRoot: page, port: 0, ...more });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

async function document<T>(address: string): Promise<T> {
  const response = await fetch(address);
  expect(response.status, address).toBe(200);
  return (await response.json()) as T;
}

async function problem(
  address: string,
  init: RequestInit = {},
): Promise<Problem & { status: number }> {
  const response = await fetch(address, init);
  return { status: response.status, ...((await response.json()) as Problem) };
}

/** As it stands, which neither `fetch` nor a browser would send. */
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
  const first = "vln~2Fhall~2F1";

  beforeAll(async () => {
    world = makeWorld();
    good = basename((await evaluate(world)).run_dir ?? "");
    bad = basename((await evaluate(world, { agent: "random" })).run_dir ?? "");
    base = await serve(world.out);
  });

  it("lists the runs with the numbers of their summaries", async () => {
    const { runs, damaged, live } = await document<RunsDocument>(`${base}/api/runs.json`);
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

  it("tells a run, its metrics and its scenes, the worst first", async () => {
    const run = await document<RunDocument>(`${base}/api/runs/${bad}/run.json`);
    expect(run.summary).toEqual(summaryOf(bad));
    expect(run.info.run_id).toBe(bad);
    expect(run.metrics.spl).toMatchObject({ direction: "higher", range: [0, 1] });
    expect(run.metrics.path_length?.range).toEqual([0, null]);
    const means = run.scenes.vln?.map(({ mean }) => mean ?? 2) ?? [];
    expect(means).toEqual([...means].sort((a, b) => a - b));
    expect(means.length).toBe(2);
    expect(run.pages).toBe(1);
  });

  it("gives the episodes in pages, and none beyond the last", async () => {
    const { rows, more } = await document<EpisodePage>(`${base}/api/runs/${good}/episodes-0.json`);
    expect([rows.length, more]).toEqual([6, false]);
    expect(rows.find(({ id }) => id === first)).toMatchObject({
      key: "vln/hall/1",
      outcome: "success",
      recorded: true,
      metrics: { success: 1, spl: 1 },
    });
    expect(await problem(`${base}/api/runs/${good}/episodes-1.json`)).toMatchObject({
      status: 404,
    });
  });

  it("tells an episode step by step, with why and how to do it again", async () => {
    const episode = await document<EpisodeDocument>(
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

  it("draws maps and small pictures", async () => {
    for (const ending of ["svg", "thumb.svg"]) {
      const response = await fetch(`${base}/api/runs/${good}/episodes/${first}.${ending}`);
      expect(response.headers.get("content-type")).toContain("image/svg+xml");
      expect(await response.text()).toMatch(/^<svg .*<\/svg>\n$/s);
    }
    const track = await problem(`${base}/api/runs/${good}/episodes/${first}.track.json`);
    expect(track).toMatchObject({ status: 404, code: "no_picture" });
  });

  it("compares two runs episode by episode", async () => {
    const address = `${base}/api/compare/${good}..${bad}.json`;
    const { comparison, episodes } = await document<CompareDocument>(address);
    expect(comparison).toMatchObject({ a: { run_id: good }, b: { run_id: bad } });
    expect(episodes.length).toBe(comparison.episodes.compared);
    expect(episodes.find(({ id }) => id === first)?.a).toMatchObject({ outcome: "success" });
    const flipped = episodes.filter(({ a, b }) => a.outcome !== b.outcome).map(({ key }) => key);
    const { to_success, to_failure } = comparison.flipped;
    expect(flipped.sort()).toEqual([...to_success, ...to_failure].sort());
    expect(await problem(`${base}/api/compare/${good}..nothing.json`)).toMatchObject({
      status: 404,
      code: "unknown_run",
    });
  });

  it("says that a browser has what it has, and packs what it has not", async () => {
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

  it("lets no script in but its own, and nobody frame it", async () => {
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
  ])("does not give %s", async (path) => {
    expect(await statusOfRaw(base, path.replace("RUN", good))).toBe(404);
  });

  it("says of an address that is none what is wrong with it", async () => {
    expect(await problem(`${base}/api/runs/%zz/run.json`)).toMatchObject({ status: 400 });
    expect(await problem(`${base}/api/nothing`)).toMatchObject({ status: 404 });
    expect(await problem(`${base}/api/runs/none/run.json`)).toMatchObject({
      status: 404,
      code: "unknown_run",
    });
    expect(await problem(`${base}/api/runs/${good}/episodes/none.json`)).toMatchObject({
      status: 404,
      code: "unknown_episode",
    });
    expect(await problem(`${base}/api/runs.json`, { method: "POST" })).toMatchObject({
      status: 404,
    });
  });

  it("answers to its own name only", async () => {
    const { port } = new URL(base);
    expect(await statusOfRaw(base, "/api/runs.json", "evil.example")).toBe(400);
    expect(await statusOfRaw(base, "/api/runs.json", `evil.example:${port}`)).toBe(400);
    expect(await statusOfRaw(base, "/api/runs.json", `localhost:${port}`)).toBe(200);
    expect(await statusOfRaw(base, "/api/runs.json", "[::1]:80")).toBe(200);
  });

  it("shows a single run where one is named", async () => {
    const one = await serve(join(world.out, good));
    const { runs } = await document<RunsDocument>(`${one}/api/runs.json`);
    expect(runs.map(({ id }) => id)).toEqual([good]);
    expect(await problem(`${one}/api/runs/${bad}/run.json`)).toMatchObject({ status: 404 });
  });

  it("says which port is taken", async () => {
    const { port } = new URL(base);
    await expect(serve(world.out, { port: Number(port) })).rejects.toMatchObject({
      code: "port_taken",
      hint: expect.stringContaining("--port"),
    });
  });

  it("says that there is no such folder", async () => {
    await expect(serve(join(world.root, "nothing"))).rejects.toMatchObject({ code: "no_folder" });
  });
});

describe("a server with a token", () => {
  let base: string;
  beforeAll(async () => {
    base = await serve(temporaryFolder(), { token: TOKEN, host: "0.0.0.0" });
  });

  it("is required beyond this machine, and long enough", async () => {
    const open = { runs: temporaryFolder(), webRoot: page, port: 0, host: "0.0.0.0" };
    await expect(createViewServer(open)).rejects.toMatchObject({ code: "token_required" });
    await expect(createViewServer({ ...open, token: "short" })).rejects.toMatchObject({
      code: "bad_token",
    });
  });

  it.each(["/", "/assets/main-1.js", "/api/runs.json", "/api/live"])(
    "keeps %s to itself",
    async (path) => {
      for (const headers of [{}, { Authorization: "Bearer wrong" }, { Cookie: "token=wrong" }]) {
        expect(await problem(`${base}${path}`, { headers })).toMatchObject({
          status: 401,
          code: "unauthorised",
        });
      }
    },
  );

  it("lets in who has it, in a header or in the address", async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    expect((await fetch(`${base}/api/runs.json`, { headers })).status).toBe(200);
    expect((await fetch(`${base}/?token=${TOKEN}x`)).status).toBe(401);
    const first = await fetch(`${base}/?token=${TOKEN}`);
    const cookie = first.headers.get("set-cookie") ?? "";
    expect(first.status).toBe(200);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const next = { Cookie: cookie.split(";")[0] ?? "" };
    expect((await fetch(`${base}/api/runs.json`, { headers: next })).status).toBe(200);
  });
});

describe("runs that are not as they should be", () => {
  let world: World;
  let base: string;
  let run: string;
  const first = "vln~2Fhall~2F1";

  beforeAll(async () => {
    world = makeWorld();
    run = (await evaluate(world)).run_dir ?? "";
    base = await serve(world.out);
  });

  /** The run under another name, with something done to it. */
  function copy(id: string, change: (folder: string) => void): string {
    cpSync(run, join(world.out, id), { recursive: true });
    change(join(world.out, id));
    return `${base}/api/runs/${id}`;
  }

  it("are listed as damaged, and say so when they are opened", async () => {
    const address = copy("damaged", (folder) => writeFileSync(join(folder, "run.json"), "{"));
    const { runs, damaged } = await document<RunsDocument>(`${base}/api/runs.json`);
    expect(runs.map(({ id }) => id)).toContain(basename(run));
    expect(damaged).toEqual([
      { id: "damaged", problem: expect.objectContaining({ code: "damaged_file" }) },
    ]);
    expect(await problem(`${address}/run.json`)).toMatchObject({
      status: 422,
      code: "damaged_file",
    });
  });

  it("may have a damaged line", async () => {
    const address = copy("line", (folder) => {
      const path = join(folder, "episodes.jsonl");
      writeFileSync(path, readFileSync(path, "utf8").replace("{", "["));
    });
    expect(await problem(`${address}/episodes-0.json`)).toMatchObject({
      status: 422,
      code: "damaged_line",
      where: expect.stringContaining("episodes.jsonl:1"),
    });
  });

  it("may have a damaged trajectory, and the rest is shown", async () => {
    const address = copy("trajectory", (folder) =>
      writeFileSync(join(folder, "trajectories/vln%2Fhall%2F1.jsonl.gz"), "nonsense"),
    );
    for (const ending of ["json", "svg", "thumb.svg"]) {
      expect(await problem(`${address}/episodes/${first}.${ending}`)).toMatchObject({
        status: 422,
        code: "damaged_gzip",
      });
    }
    await document(`${address}/episodes/vln~2Fhall~2F2.json`);
  });

  it("may have no trajectories, and tell what their lines tell", async () => {
    const { run_dir } = await evaluate(world, { set: ["output.save_trajectories=false"] });
    const address = `${base}/api/runs/${basename(run_dir ?? "")}/episodes`;
    const episode = await document<EpisodeDocument>(`${address}/${first}.json`);
    expect(episode).toMatchObject({ records: [], events: [], has_map: false, replay: "" });
    expect(episode.why.find(({ metric }) => metric === "spl")).toMatchObject({
      value: 1,
      formula: null,
    });
    expect(await problem(`${address}/${first}.thumb.svg`)).toMatchObject({ status: 404 });
  });

  it("may name files outside of themselves, which are not read", async () => {
    const secret = world.write("secret.json", { secret: true });
    const address = copy("outside", (folder) => {
      const path = join(folder, "episodes.jsonl");
      const text = readFileSync(path, "utf8");
      writeFileSync(
        path,
        text.replace("trajectories/vln%2Fhall%2F1.jsonl.gz", "../../secret.json"),
      );
      mkdirSync(join(folder, "videos"));
      symlinkSync(secret, join(folder, "videos/a.mp4"));
    });
    expect(await problem(`${address}/episodes/${first}.json`)).toMatchObject({
      status: 422,
      code: "outside_folder",
    });
    expect(await problem(`${address}/files/videos/a.mp4`)).toMatchObject({ status: 404 });
    const linked = copy("linked", (folder) => {
      renameSync(join(folder, "run.json"), join(world.root, "run.json"));
      symlinkSync(join(world.root, "run.json"), join(folder, "run.json"));
    });
    expect(await problem(`${linked}/run.json`)).toMatchObject({
      status: 422,
      code: "outside_folder",
    });
  });

  it("may be links, which are followed within the folder and no farther", async () => {
    symlinkSync(run, join(world.out, "alias"));
    const elsewhere = join(temporaryFolder(), "run");
    cpSync(run, elsewhere, { recursive: true });
    symlinkSync(elsewhere, join(world.out, "elsewhere"));
    await document(`${base}/api/runs/alias/run.json`);
    expect(await problem(`${base}/api/runs/elsewhere/run.json`)).toMatchObject({ status: 404 });
  });

  it("are stale where they say that they run, and nobody writes them", async () => {
    copy("killed", (folder) => {
      const path = join(folder, "run.json");
      const info = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, JSON.stringify({ ...info, status: "running", finished_at: null }));
    });
    const { card } = await document<RunDocument>(`${base}/api/runs/killed/run.json`);
    expect(card).toMatchObject({ status: "stale", planned: 6, episodes: { total: 6 } });
    writeFileSync(
      join(world.out, "killed/run.lock"),
      JSON.stringify({ pid: 1, host: "another-machine", started: null }),
    );
    const again = await document<RunDocument>(`${base}/api/runs/killed/run.json`);
    expect(again.card.status).toBe("running");
  });

  it("may have films, which are sent in parts", async () => {
    const address = copy("film", (folder) => {
      mkdirSync(join(folder, "videos"));
      writeFileSync(join(folder, "videos/vln%2Fhall%2F1.mp4"), "0123456789");
    });
    const film = `${address}/files/videos/${encodeURIComponent("vln%2Fhall%2F1.mp4")}`;
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

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunResults, RunSummary } from "../../src/core/interfaces/result.js";
import type {
  EpisodeDocument,
  EpisodePage,
  FrameStrip,
  LiveEvent,
  PoseTrack,
  RunCard,
  RunDocument,
  RunsDocument,
} from "../../src/server/view/documents.js";
import { UNFINISHED, writeRun } from "../../src/server/view/run-index.fixture.js";
import {
  EPISODES,
  episodeLine,
  makeWorld,
  type RunningCli,
  robotEval,
  startRobotEval,
  temporaryFolder,
} from "../support/cli.js";
import { gatedAgent } from "../support/gated-agent.js";
import { ROOT } from "../support/manipulation.js";
import { WITHOUT_REARRANGE } from "../support/small-unified.js";

const SMOKE = join(ROOT, "configs/benchmarks/unified_smoke.yaml");
const AGENTS = [
  ...["vln=shortest-path", "objectnav=random", "image_nav=shortest-path"],
  ...["pick_place=expert", "stacking=random", "opening=random"],
].join(",");

const out = join(temporaryFolder(), "runs");
const viewers: RunningCli[] = [];
afterAll(async () => {
  for (const viewer of viewers) viewer.signal("SIGINT");
  await Promise.all(viewers.map(({ done }) => done));
});

async function view(...args: readonly string[]): Promise<{ base: string; viewer: RunningCli }> {
  const viewer = startRobotEval(["view", ...args, "--port", "0"], ROOT);
  viewers.push(viewer);
  const address = await viewer.heard(/ at (http:\S+\/);/);
  return { base: address, viewer };
}

async function get<T>(address: string): Promise<T> {
  const response = await fetch(address);
  expect(response.status, address).toBe(200);
  return (await response.json()) as T;
}

function summaryIn(folder: string, id: string): RunSummary {
  return JSON.parse(readFileSync(join(folder, id, "summary.json"), "utf8")) as RunSummary;
}

describe("robot-eval view on a unified run", () => {
  let run: string;
  let base: string;
  let rows: EpisodePage["rows"];

  beforeAll(async () => {
    const { stdout, stderr } = await robotEval(
      [
        ...["run", SMOKE, "--agent", AGENTS, "--limit", "1", "--out", out, "--json"],
        ...["--filter", WITHOUT_REARRANGE],
        ...["--set", "stacking_task.config.max_steps=40"],
        ...["--set", "opening_task.config.max_steps=40"],
      ],
      ROOT,
    );
    expect(stderr.trimEnd().split("\n").at(-1)).toContain(`robot-eval view ${out}`);
    run = basename((JSON.parse(stdout) as RunResults).run_dir ?? "");
    ({ base } = await view(out));
    ({ rows } = await get<EpisodePage>(`${base}api/runs/${run}/episodes-0.json`));
  });

  it("robot-eval view on a unified run serves the page and the numbers of the run summary", async () => {
    const page = await fetch(base);
    expect(page.headers.get("content-type")).toContain("text/html");
    const { summary, card } = await get<RunDocument>(`${base}api/runs/${run}/run.json`);
    expect(summary).toEqual(summaryIn(out, run));
    expect(card.headlines.map(({ task }) => task)).toEqual(Object.keys(summary.per_task));
    expect(rows.length).toBe(6);
  });

  it("robot-eval view on a unified run serves scene, steps and explained metrics of every episode", async () => {
    for (const { id, metrics } of rows) {
      const address = `${base}api/runs/${run}/episodes/${id}`;
      const episode = await get<EpisodeDocument>(`${address}.json`);
      expect(episode.scene_note, id).toBeNull();
      expect(episode.why.map(({ metric }) => metric)).toEqual(Object.keys(metrics));
      expect(episode.why.filter(({ formula }) => formula === null)).toEqual([]);
      const scene = await fetch(`${base}api/scenes/${episode.scene}.glb`);
      expect(scene.headers.get("content-type"), id).toBe("model/gltf-binary");
      expect(episode.has_map).toBe(episode.family === "navigation");
      expect(episode.has_track).toBe(episode.family === "manipulation");
      const thumbnail = await fetch(`${address}.thumb.svg`);
      expect(await thumbnail.text()).toContain("<svg");
    }
  });

  it("robot-eval view on a unified run serves maps of navigation episodes and pose tracks of manipulation episodes", async () => {
    const walk = rows.find(({ task }) => task === "vln")?.id;
    const grasp = rows.find(({ task }) => task === "pick_place")?.id;
    const map = await fetch(`${base}api/runs/${run}/episodes/${walk}.svg`);
    expect(await map.text()).toContain("<svg");
    expect((await fetch(`${base}api/runs/${run}/episodes/${grasp}.svg`)).status).toBe(404);
    const episode = await get<EpisodeDocument>(`${base}api/runs/${run}/episodes/${grasp}.json`);
    const track = await get<PoseTrack>(`${base}api/runs/${run}/episodes/${grasp}.track.json`);
    expect(track.steps).toBe(episode.records.length);
    expect(Buffer.from(track.poses, "base64").length).toBe(track.steps * track.bodies.length * 28);
    const kinds = episode.events.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["grasp", "stage", "success", "end"]));
    expect(kinds).not.toContain("drop");
  });

  it("robot-eval view on a unified run serves camera frames of an episode", async () => {
    const walk = rows.find(({ task }) => task === "vln")?.id;
    const address = `${base}api/runs/${run}/episodes/${walk}.frames.json`;
    const { sensors, frames } = await get<FrameStrip>(address);
    expect(sensors.length).toBeGreaterThan(0);
    expect(frames[0]?.images[sensors[0] ?? ""]).toMatch(/^data:image\/webp;base64,/);
  });

  it("robot-eval view on a unified run exports files that a plain file server can host below any path", async () => {
    const folder = join(temporaryFolder(), "pages");
    const { code, stdout, stderr } = await robotEval(
      [
        "view",
        join(out, run),
        "--export",
        folder,
        "--episodes",
        "failures",
        "--frames",
        "2",
        "--json",
      ],
      ROOT,
    );
    expect(code, stderr).toBe(0);
    const failures = rows.filter(({ outcome }) => outcome !== "success").map(({ id }) => id);
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [run],
      episodes: failures.length,
      skipped: [],
    });
    const hosted = await host(folder);
    const list = await get<RunsDocument>(`${hosted}api/runs.json`);
    expect(list.live).toBe(false);
    expect(await (await fetch(hosted)).text()).toContain("<div id=");
    const page = await get<EpisodePage>(`${hosted}api/runs/${run}/episodes-0.json`);
    expect(page.rows).toEqual(rows);
    for (const id of failures) {
      const address = `api/runs/${run}/episodes/${id}.json`;
      const episode = await get<EpisodeDocument>(`${hosted}${address}`);
      expect(episode).toEqual(await get<EpisodeDocument>(`${base}${address}`));
      expect((await fetch(`${hosted}api/scenes/${episode.scene}.glb`)).status).toBe(200);
      const strip = await get<FrameStrip>(`${hosted}${address.replace(/\.json$/, ".frames.json")}`);
      expect(strip.frames.length).toBe(2);
    }
    const again = await robotEval(["view", out, "--export", folder], ROOT);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("not empty")]);
  });
});

/** Serves the folder below a path with a plain file server. */
async function host(folder: string): Promise<string> {
  const server: Server = createServer(async ({ url = "" }, response) => {
    const path = decodeURIComponent(url.replace("/some/where/", ""));
    const bytes = await readFile(join(folder, path === "" ? "index.html" : path)).catch(() => null);
    response.writeHead(bytes === null ? 404 : 200).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`;
}

describe("robot-eval view on a running run", () => {
  it("robot-eval view on a running run sends live events with the run progress and its final numbers", async () => {
    const world = makeWorld();
    world.write("out/.keep", "");
    const { base, viewer } = await view(world.out);
    const cards: RunCard[] = [];
    const listening = new AbortController();
    const { flags, allow } = gatedAgent();
    allow(2);
    const done = listen(`${base}api/live`, listening.signal, (event) => {
      if (event.type !== "run") return false;
      cards.push(event.card);
      // The gated agent holds the run at its third episode until an event reports two.
      if (event.card.episodes.total === 2) allow(Number.POSITIVE_INFINITY);
      return event.card.status === "done";
    });
    const run = await robotEval(
      ["run", world.yaml, "--out", world.out, "--json", ...flags],
      world.root,
    );
    expect(run.code, run.stderr).toBe(0);
    await done;
    const { run_dir } = JSON.parse(run.stdout) as RunResults;
    const summary = summaryIn(world.out, basename(run_dir ?? ""));
    const last = cards.at(-1);
    expect(last?.episodes).toEqual(summary.episodes);
    expect(last?.headlines[0]?.mean).toBe(summary.per_task.vln?.success?.mean);
    expect(last?.planned).toBe(EPISODES.length);
    const under = cards.filter(({ status }) => status === "running");
    expect(under.map(({ episodes }) => episodes.total)).toContain(2);
    expect(under.every(({ planned }) => planned === EPISODES.length)).toBe(true);
    listening.abort();
    viewer.signal("SIGINT");
    expect((await viewer.done).code).toBe(0);
  });
});

/** Reads server-sent events until `isLast` is true for one. */
async function listen(
  address: string,
  signal: AbortSignal,
  isLast: (event: LiveEvent) => boolean,
): Promise<void> {
  const { body } = await fetch(address, { signal });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      if (data !== undefined && isLast(JSON.parse(data) as LiveEvent)) return;
    }
  }
}

describe("robot-eval view", () => {
  it("robot-eval view exits with 0 on SIGINT while pages receive live events", async () => {
    const { base, viewer } = await view(temporaryFolder(), "--json");
    const listening = await fetch(`${base}api/live`);
    expect(listening.status).toBe(200);
    viewer.signal("SIGINT");
    const { code, stdout } = await viewer.done;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ url: base, host: "127.0.0.1" });
    await listening.text().catch(() => {});
  });

  it("robot-eval view exits with 0 on SIGTERM while connections are open and runs are being read", async () => {
    const folder = temporaryFolder();
    for (let i = 0; i < 100; i++) writeRun(folder, `run-${i}`);
    const long = writeRun(folder, "long", UNFINISHED);
    const lines = Array.from({ length: 20_000 }, (_, i) => episodeLine({ episode_id: String(i) }));
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFileSync(join(long, "episodes.jsonl"), text);
    const { base, viewer } = await view(folder);
    const { hostname, port } = new URL(base);
    const idle = connect(Number(port), hostname);
    const slow = connect(Number(port), hostname);
    await Promise.all([idle, slow].map((socket) => once(socket, "connect")));
    for (const socket of [idle, slow]) socket.on("error", () => {});
    slow.write("GET /api/runs.json HTTP/1.1\r\n");
    const listening = await fetch(`${base}api/live`);
    // The server closes both connections before they are complete.
    const listed = fetch(`${base}api/runs.json`).catch(() => {});
    viewer.signal("SIGTERM");
    expect((await viewer.done).code).toBe(0);
    await Promise.all([listening.text().catch(() => {}), listed]);
    for (const socket of [idle, slow]) socket.destroy();
  });

  it("robot-eval view rejects a public address without a token, a missing folder and export flags without --export", async () => {
    const open = await robotEval(["view", out, "--host", "0.0.0.0", "--port", "0"], ROOT);
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining("--token")]);
    const nowhere = await robotEval(["view", join(out, "nothing"), "--port", "0"], ROOT);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      expect.stringContaining("the folder of runs does not exist"),
    ]);
    const unused = await robotEval(["view", out, "--episodes", "failures"], ROOT);
    expect([unused.code, unused.stderr]).toEqual([2, expect.stringContaining("--export")]);
  });
});

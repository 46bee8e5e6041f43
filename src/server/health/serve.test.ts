import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { testPython } from "../../../test/support/python.js";
import { parseExposition } from "../../core/telemetry/exposition.fixture.js";
import { MetricSet } from "../../core/telemetry/metric-set.js";
import { serve as serveView } from "../serve.fixture.js";
import { addProcessMetrics } from "./process-metrics.js";
import { createHealthServer, type HealthServer, type HealthServerOptions } from "./serve.js";

const TOKEN = "0123456789abcdef";
const servers: HealthServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

async function serve(options: Partial<HealthServerOptions> = {}): Promise<string> {
  const server = await createHealthServer({ metrics: new MetricSet(), port: 0, ...options });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

async function ask(address: string, headers: Record<string, string> = {}) {
  const response = await fetch(address, { headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe("the endpoint of a process", () => {
  it("the endpoint of a process answers both probes with 200 if the process is alive and ready", async () => {
    const base = await serve();
    for (const path of ["/healthz", "/readyz"]) {
      const { status, text, headers } = await ask(base + path);
      expect([status, text, headers.get("cache-control")]).toEqual([200, "ok\n", "no-store"]);
    }
    expect((await ask(`${base}/other`)).status).toBe(404);
  });

  it("the endpoint of a process reports alive and the reason if the process is not ready", async () => {
    let trouble: string | undefined = "the database is unreachable";
    const base = await serve({ ready: () => trouble });
    expect(await ask(`${base}/readyz`)).toMatchObject({ status: 503, text: `${trouble}\n` });
    expect(await ask(`${base}/healthz`)).toMatchObject({ status: 200 });
    trouble = undefined;
    expect(await ask(`${base}/readyz`)).toMatchObject({ status: 200 });
  });

  it("the endpoint of a process reports not ready while a check hangs or fails, without its details", async () => {
    const hangs = await serve({ ready: () => new Promise(() => {}) });
    const text = "the check takes too long\n";
    expect(await ask(`${hangs}/readyz`)).toMatchObject({ status: 503, text });
    const fails = await serve({ ready: () => Promise.reject(new Error("secret@10.0.0.1")) });
    const failed = "the check failed\n";
    expect(await ask(`${fails}/readyz`)).toMatchObject({ status: 503, text: failed });
  });

  it("the endpoint of a process sends the metrics with the Prometheus content type", async () => {
    const metrics = new MetricSet();
    addProcessMetrics(metrics);
    const { text, headers } = await ask(`${await serve({ metrics })}/metrics`);
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const found = new Map(parseExposition(text).map(({ name, samples }) => [name, samples]));
    expect(found.get("process_resident_memory_bytes")?.[0]?.value).toBeGreaterThan(2 ** 20);
    expect(found.get("process_cpu_seconds_total")?.[0]?.value).toBeGreaterThan(0);
    expect(found.get("robot_eval_info")?.[0]?.labels.node).toBe(process.versions.node);
  });

  it("the endpoint of a process requires a token for the metrics, not for the probes, if other machines can reach it", async () => {
    const open = createHealthServer({ metrics: new MetricSet(), port: 0, host: "0.0.0.0" });
    await expect(open).rejects.toMatchObject({ code: "token_required", where: "--metrics-host" });
    const base = await serve({ host: "0.0.0.0", token: TOKEN });
    expect((await ask(`${base}/metrics`)).status).toBe(401);
    expect((await ask(`${base}/metrics`, { Authorization: `Bearer ${TOKEN}x` })).status).toBe(401);
    expect((await ask(`${base}/metrics`, { Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect((await ask(`${base}/healthz`)).status).toBe(200);
    expect((await ask(`${base}/readyz`)).status).toBe(200);
  });
});

describe("the dashboard's server", () => {
  it("the dashboard server answers the probes without a token, but not the metrics", async () => {
    const runs = join(temporaryFolder(), "runs");
    mkdirSync(runs);
    const base = await serveView(runs, { token: TOKEN });
    expect((await ask(`${base}/healthz`)).status).toBe(200);
    expect((await ask(`${base}/readyz`)).status).toBe(200);
    expect((await ask(`${base}/metrics`)).status).toBe(401);
    rmSync(runs, { recursive: true });
    const text = "the folder of runs cannot be read\n";
    expect(await ask(`${base}/readyz`)).toMatchObject({ status: 503, text });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const families = parseExposition((await ask(`${base}/metrics`, headers)).text);
    const requests = families.find(({ name }) => name === "http_requests_total")?.samples;
    const counted = Object.fromEntries(
      requests?.map(({ labels, value }) => [`${labels.method} ${labels.status}`, value]) ?? [],
    );
    expect(counted).toEqual({ "GET 200": 2, "GET 401": 1, "GET 503": 1 });
  });
});

describe("Prometheus' own parser", () => {
  const python = testPython();

  it.skipIf(python === undefined)("the Prometheus parser parses the metrics page", async () => {
    const metrics = new MetricSet();
    addProcessMetrics(metrics);
    const strange = 'a\\n\r\n"quoted"\\ ☃';
    metrics.counter("strange_total", strange, ["label"]).add(2.5, { label: strange });
    const seconds = metrics.histogram("seconds", "Time.", [0.5, 1], ["kind"]);
    for (const value of [0.5, 0.75, 7]) seconds.observe(value, { kind: "x" });
    const read = spawnSync(
      python ?? "",
      [fileURLToPath(new URL("../../../test/peers/prometheus_peer.py", import.meta.url))],
      { input: metrics.text(), encoding: "utf8" },
    );
    expect(read.stderr).toBe("");
    const families: { name: string; help: string; type: string; samples: unknown[] }[] = JSON.parse(
      read.stdout,
    );
    const found = new Map(families.map((family) => [family.name, family]));
    expect(found.get("strange")).toEqual({
      name: "strange",
      help: strange,
      type: "counter",
      samples: [["strange_total", { label: strange }, 2.5]],
    });
    expect(found.get("seconds")?.samples).toEqual([
      ["seconds_bucket", { kind: "x", le: "0.5" }, 1],
      ["seconds_bucket", { kind: "x", le: "1" }, 2],
      ["seconds_bucket", { kind: "x", le: "+Inf" }, 3],
      ["seconds_sum", { kind: "x" }, 8.25],
      ["seconds_count", { kind: "x" }, 3],
    ]);
    expect(found.size).toBe(parseExposition(metrics.text()).length);
  });
});

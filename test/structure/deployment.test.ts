import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { COMMANDS } from "../../src/cli/command-table.js";
import { MetricSet } from "../../src/core/telemetry/metric-set.js";
import { createHealthServer, METRICS_TOKEN } from "../../src/server/health/serve.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

const manifests = filesIn("deploy/kubernetes", ".yaml");
const scripts = [...filesIn("deploy/slurm", ".sbatch"), ...filesIn("deploy/slurm", ".sh")];

/** The options of a robot-eval command. */
async function optionsOf(name: string): Promise<string[]> {
  const make = await COMMANDS[name]?.load();
  expect(make, `unknown command ${name}`).toBeDefined();
  return make?.().options.flatMap(({ long }) => (long ? [long] : [])) ?? [];
}

/** Calls of robot-eval in a shell script, with continuation lines joined; ignores `${...}` and similar. */
function callsIn(script: string): { readonly command: string; readonly options: string[] }[] {
  const lines = script.replaceAll(/^\s*#.*$/gm, "").replaceAll(/\\\n/g, " ");
  return [...lines.matchAll(/robot-eval ([a-z]+)\b([^\n|;&]*)/g)].map(
    ([, command = "", rest = ""]) => ({
      command,
      options: [...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([option]) => option),
    }),
  );
}

async function checkCalls(calls: ReturnType<typeof callsIn>): Promise<void> {
  for (const { command, options } of calls) {
    const known = await optionsOf(command);
    for (const option of options) expect(known, `robot-eval ${command}`).toContain(option);
  }
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { path: string; port: string } };
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: { readonly matchLabels: object };
    readonly scaleTargetRef?: { readonly name: string };
    readonly template: {
      readonly metadata?: { readonly labels: object };
      readonly spec: {
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

const podsOf = (path: string) => {
  const manifest: Manifest = parse(read(path));
  return /Deployment|^Job$/.test(manifest.kind) ? [manifest] : [];
};

describe("the container image", () => {
  const dockerfile = read("Dockerfile").replaceAll(/\\\n/g, " ");
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list = ""]) =>
    list.split(" "),
  );
  const ignore = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

  it("the container image copies only files that exist and are not ignored", () => {
    expect(sources.length).toBeGreaterThan(8);
    for (const source of sources) {
      expect(existsSync(join(root, source)), source).toBe(true);
      const kept = ignore.some((line) => line.startsWith("!") && isWithin(source, line.slice(1)));
      expect(kept, `.dockerignore keeps ${source} from the build`).toBe(true);
    }
    expect(ignore[0]).toBe("*");
  });

  const isWithin = (path: string, folder: string) =>
    path === folder || path.startsWith(`${folder}/`);

  it("the container image contains the files that the build reads", () => {
    const build =
      read("scripts/build.mjs") + read("web/tsconfig.json") + read("tsconfig.build.json");
    const named = [...build.matchAll(/"(?:\.\.?\/)?(tsconfig[\w.]*\.json|web|src)"/g)];
    for (const [, name = ""] of named) expect(sources).toContain(name);
  });

  it("the container image has a Node.js version that the package supports", () => {
    const images = [...dockerfile.matchAll(/^FROM node:(\d+)-slim/gm)].map(([, major]) => major);
    const { engines } = JSON.parse(read("package.json"));
    expect(new Set(images)).toEqual(new Set([/>=(\d+)/.exec(engines.node)?.[1]]));
  });

  it("the container image does not run as root and has robot-eval on its path", () => {
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    const { bin } = JSON.parse(read("package.json"));
    expect(dockerfile).toContain(`ln -s /opt/robot-eval/${bin["robot-eval"].slice(2)} `);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["robot-eval"\]$/m);
  });

  it("the container image is healthy if the process answers or has no health endpoint", async () => {
    const [, script = ""] = /CMD \["node", "\/opt\/robot-eval\/(\S+)"\]/.exec(dockerfile) ?? [];
    const check = (port: number | "") =>
      new Promise((resolve) => {
        const env = { ...process.env, ROBOT_EVAL_METRICS_PORT: String(port) };
        spawn(process.execPath, [join(root, script)], { env }).once("exit", resolve);
      });
    const server = await createHealthServer({ metrics: new MetricSet(), port: 0 });
    expect(await check("")).toBe(0);
    expect(await check(server.port)).toBe(0);
    await server.close();
    expect(await check(server.port)).toBe(1);
  });
});

describe("the Kubernetes manifests", () => {
  it("the Kubernetes manifests exist", () => {
    expect(manifests.length).toBeGreaterThan(6);
  });

  it.each(manifests)("%s is one document with a kind and a name", (path) => {
    const [document, ...more] = parseAllDocuments(read(path), { uniqueKeys: true });
    expect([document?.errors, document?.warnings, more]).toEqual([[], [], []]);
    const manifest: Manifest = document?.toJS();
    expect(manifest.apiVersion).toMatch(/^(v1|[a-z0-9.]+\/v\w+)$/);
    if (manifest.kind !== "Kustomization") expect(manifest.metadata.name).toMatch(/^robot-eval/);
  });

  const pods = manifests.flatMap((path) => podsOf(path).map((pod) => [path, pod] as const));

  it.each(pods)("%s calls robot-eval with valid options", async (_, { spec }) => {
    for (const { command, args = [] } of spec.template.spec.containers) {
      const called = command === undefined ? `robot-eval ${args.join(" ")}` : args.join("\n");
      const calls = callsIn(called);
      expect(calls).not.toEqual([]);
      await checkCalls(calls);
    }
  });

  it.each(pods)("%s refers only to volumes, ports and pods that it defines", (_, { spec }) => {
    const { containers, volumes } = spec.template.spec;
    for (const container of containers) {
      const mounted = container.volumeMounts?.map(({ name }) => name) ?? [];
      expect(volumes.map(({ name }) => name)).toEqual(expect.arrayContaining(mounted));
      for (const kind of ["startupProbe", "livenessProbe", "readinessProbe"] as const) {
        const probe = container[kind];
        if (probe === undefined) continue;
        expect(container.ports?.map(({ name }) => name)).toContain(probe.httpGet.port);
        expect(["/healthz", "/readyz"]).toContain(probe.httpGet.path);
      }
    }
    if (spec.selector) expect(spec.template.metadata?.labels).toEqual(spec.selector.matchLabels);
  });

  it("the Kubernetes manifests use consistent port, token and name for the workers", () => {
    const [{ metadata, spec } = expect.fail("no workers")] = podsOf(
      "deploy/kubernetes/workers.yaml",
    );
    const [worker] = spec.template.spec.containers;
    expect(worker?.args).toContain(`--metrics-port=${worker?.ports?.[0]?.containerPort}`);
    expect(worker?.env?.map(({ name }) => name)).toContain(METRICS_TOKEN);
    for (const path of manifests.filter((name) => name.includes("autoscale"))) {
      const scaler: Manifest = parse(read(path));
      expect(scaler.spec.scaleTargetRef?.name).toBe(metadata.name);
    }
  });

  it("the Kubernetes manifests use only keys that the Secret and the ConfigMap define", () => {
    const { stringData } = parse(read("deploy/kubernetes/secret.yaml"));
    const { data } = parse(read("deploy/kubernetes/settings.yaml"));
    const optional = new Set(["ROBOT_EVAL_POLICY_TOKEN"]);
    for (const [path, { spec }] of pods) {
      for (const { env = [], args = [] } of spec.template.spec.containers) {
        const names: string[] = [];
        for (const { name, ...entry } of env) {
          names.push(name);
          const key = JSON.stringify(entry).match(/"secretKeyRef":.*"key":"(\w+)"/)?.[1];
          if (key && !optional.has(key)) expect(Object.keys(stringData), path).toContain(key);
        }
        for (const [, name = ""] of args.join(" ").matchAll(/\$\((\w+)\)/g)) {
          expect([...names, ...Object.keys(data)], path).toContain(name);
        }
      }
    }
  });
});

describe("the Slurm scripts", () => {
  it("the Slurm scripts exist", () => {
    expect(scripts.length).toBeGreaterThan(5);
  });

  it.each(scripts)("%s has valid bash syntax", (path) => {
    const { status, stderr } = spawnSync("bash", ["-n", join(root, path)], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(read(path)).toContain("set -euo pipefail");
    if (path.endsWith(".sh")) expect(statSync(join(root, path)).mode & 0o111).toBe(0o111);
  });

  it.each(scripts)("%s calls robot-eval with valid options", async (path) => {
    await checkCalls(callsIn(read(path)));
  });
});

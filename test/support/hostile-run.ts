import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { stringify } from "yaml";
import type { RunInfo } from "../../src/core/interfaces/result.js";
import { temporaryFolder } from "./cli.js";

export const SECRET = "top-secret-4711";

/** Resources that an untrusted run must not reach. */
export interface Outside {
  readonly folder: string;
  /** A file that exists once code of the run was executed. */
  readonly marker: string;
  readonly port: number;
  /** Names, sizes and times of files; changes when anything is written. */
  state(): string;
  connections(): number;
  close(): Promise<void>;
}

export async function makeOutside(): Promise<Outside> {
  const folder = temporaryFolder();
  const marker = join(temporaryFolder(), "marker");
  mkdirSync(join(folder, "scenes"));
  const steps = JSON.stringify({ format: "robot-eval-trajectory/1", secret: SECRET });
  const files = {
    "secret.txt": `${SECRET}\n`,
    "secret.json": JSON.stringify({ secret: SECRET }),
    "secret.jsonl.gz": gzipSync(`${steps}\n`),
    "secret.mp4": SECRET,
    "secret.mtl": `newmtl ${SECRET}\n`,
    "scenes/hall.obj": `# ${SECRET}\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n`,
    "hall_connectivity.json": `["${SECRET}"]`,
    "evil.mjs": `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "plugin");\nexport default () => {};\n`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    folder,
    marker,
    port: typeof address === "object" && address ? address.port : 0,
    state: () =>
      readdirSync(folder, { recursive: true })
        .map((name) => {
          const { size, mtimeMs } = statSync(join(folder, String(name)));
          return `${name} ${size} ${mtimeMs}`;
        })
        .sort()
        .join("\n"),
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type Attack = (run: string, outside: Outside) => void;

/** Ways in which a run directory can try to execute code, read files or open connections. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  "a simulator's program": (run, { marker }) => {
    const program = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "program")`;
    setSimulator(run, { backend: "remote", command: [process.execPath, "-e", program] });
  },
  "a simulator's address": (run, { port }) => {
    setSimulator(run, { backend: "remote", url: `ws://127.0.0.1:${port}` });
  },
  "a policy's address": (run, { port }) => {
    setConfig(run, (info) => ({ ...info, agent: `ws://127.0.0.1:${port}` }));
  },
  "a recording elsewhere as its agent": (run, { folder }) => {
    setConfig(run, (info) => ({ ...info, agent: `noisy:0.1:replay:${folder}` }));
  },
  "a plugin": (run, { folder }) => {
    setSection(run, { plugins: [join(folder, "evil.mjs")] });
  },
  "a plugin in its own folder": (run, { folder }) => {
    mkdirSync(join(run, "node_modules/evil"), { recursive: true });
    cpSync(join(folder, "evil.mjs"), join(run, "node_modules/evil/index.js"));
    writeFileSync(join(run, "node_modules/evil/package.json"), '{"type": "module"}');
    setSection(run, { plugins: ["evil"] });
  },
  "folders elsewhere": (run, { folder }) => {
    const place = { data_path: join(folder, "secret.json"), scenes: join(folder, "scenes") };
    setSection(run, { dataset: { vln: { type: "vln", ...place, connectivity: folder } } });
  },
  "scenes of other folders": (run, { folder }) => {
    rename(run, join(folder, "scenes/hall.obj"));
    setSection(run, { dataset: { vln: { type: "vln", data_path: "none" } } });
  },
  "a scene that names a file elsewhere": (run, { folder }) => {
    rename(run, "house.obj");
    const scene = `mtllib ${join(folder, "secret.mtl")}\nv 0 0 0\nv 9 0 0\nv 0 0 9\nf 1 3 2\n`;
    writeFileSync(join(run, "house.obj"), scene);
    setSection(run, { dataset: { vln: { type: "vln", data_path: "none" } } });
  },
  "a scene that is a link": (run, { folder }) => {
    rename(run, "house.obj");
    symlinkSync(join(folder, "scenes/hall.obj"), join(run, "house.obj"));
    setSection(run, { dataset: { vln: { type: "vln", data_path: "none" } } });
  },
  "trajectories outside": (run, { folder }) => {
    editLines(run, (line) => ({ ...line, trajectory: `../../${folder}/secret.jsonl.gz` }));
  },
  "films outside": (run, { folder }) => {
    editLines(run, (line) => ({ ...line, video: `videos/../../${folder}/secret.mp4` }));
  },
  "trajectories that are links": (run, { folder }) => {
    for (const name of readdirSync(join(run, "trajectories"))) {
      link(join(folder, "secret.jsonl.gz"), join(run, "trajectories", name));
    }
  },
  "films that are links": (run, { folder }) => {
    mkdirSync(join(run, "videos"));
    symlinkSync(join(folder, "secret.mp4"), join(run, "videos/a.mp4"));
    editLines(run, (line) => ({ ...line, video: "videos/a.mp4" }));
  },
  "a folder that is a link": (run, { folder }) => {
    cpSync(join(run, "trajectories"), join(folder, "trajectories"), { recursive: true });
    rmSync(join(run, "trajectories"), { recursive: true });
    symlinkSync(join(folder, "trajectories"), join(run, "trajectories"));
  },
  "a folder for maps that is a link": (run, { folder }) => {
    symlinkSync(folder, join(run, "maps"));
  },
  ...Object.fromEntries(
    [
      "run.json",
      "summary.json",
      "episodes.jsonl",
      "benchmark.yaml",
      "log.jsonl",
      "set_aside.jsonl",
    ].map((name): [string, Attack] => [
      `a ${name} that is a link`,
      (run, { folder }) => link(join(folder, "secret.txt"), join(run, name)),
    ]),
  ),
};

const TOP_FILES = [
  ...["run.json", "summary.json", "episodes.jsonl", "benchmark.yaml"],
  ...["log.jsonl", "set_aside.jsonl", "run.lock"],
];
const GEOMETRY = `geometry/${"0".repeat(64)}.json.gz`;

/** Special files, whose reading may block forever. */
export const SPECIAL_FILES: Readonly<Record<string, Attack>> = {
  ...Object.fromEntries(
    TOP_FILES.map((name): [string, Attack] => [
      `a ${name} that is a pipe`,
      (run) => makePipe(join(run, name)),
    ]),
  ),
  "trajectories that are pipes": (run) => {
    for (const name of readdirSync(join(run, "trajectories"))) {
      makePipe(join(run, "trajectories", name));
    }
  },
  "films that are pipes": (run) => {
    mkdirSync(join(run, "videos"));
    makePipe(join(run, "videos/a.mp4"));
    editLines(run, (line) => ({ ...line, video: "videos/a.mp4" }));
  },
  "geometry that is a pipe": (run) => {
    mkdirSync(join(run, "geometry"));
    makePipe(join(run, GEOMETRY));
    editLines(run, (line) => ({ ...line, geometry: GEOMETRY }));
  },
  "a folder of trajectories that is a pipe": (run) => {
    rmSync(join(run, "trajectories"), { recursive: true });
    makePipe(join(run, "trajectories"));
  },
  "a scene that is a pipe": (run) => {
    rename(run, "house.obj");
    makePipe(join(run, "house.obj"));
    setSection(run, { dataset: { vln: { type: "vln", data_path: "none" } } });
  },
  "an episodes.jsonl that is a link to itself": (run) =>
    link("episodes.jsonl", join(run, "episodes.jsonl")),
  "trajectories that are a device without an end": (run) => {
    for (const name of readdirSync(join(run, "trajectories"))) {
      link("/dev/zero", join(run, "trajectories", name));
    }
  },
};

export function makePipe(path: string): void {
  rmSync(path, { force: true });
  execFileSync("mkfifo", [path]);
}

/** A copy of a run with one attack added. */
export function hostileRun(from: string, attack: string, outside: Outside): string {
  const run = join(temporaryFolder(), "hostile");
  cpSync(from, run, { recursive: true });
  const set = ATTACKS[attack] ?? SPECIAL_FILES[attack];
  if (!set) throw new Error(`unknown attack "${attack}"`);
  set(run, outside);
  return run;
}

/** Finds a file below the folder that contains the secret, plain, compressed or in base64, or a link to it. */
export function fileWithSecret(folder: string): string | undefined {
  const base64 = Buffer.from(SECRET).toString("base64").slice(0, -4);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .find((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = entry.isFile() ? unpacked(readFileSync(path)) : SECRET;
      return text.includes(SECRET) || text.includes(base64);
    })?.name;
}

function unpacked(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes).toString("latin1") : text;
}

function link(to: string, at: string): void {
  rmSync(at, { force: true });
  symlinkSync(to, at);
}

function setSimulator(run: string, simulator: object): void {
  setSection(run, { simulator });
}

function setSection(run: string, section: object): void {
  setConfig(run, (info) => ({ ...info, config: { ...info.config, ...section } }));
}

/** Changes run.json, and benchmark.yaml with it. */
function setConfig(run: string, change: (info: RunInfo) => RunInfo): void {
  const file = join(run, "run.json");
  const info = change(JSON.parse(readFileSync(file, "utf8")) as RunInfo);
  writeFileSync(file, JSON.stringify({ ...info, config: { ...info.config, agent: info.agent } }));
  writeFileSync(join(run, "benchmark.yaml"), stringify(info.config));
}

function editLines(run: string, change: (line: object) => object): void {
  const file = join(run, "episodes.jsonl");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const edited = lines.map((text) => JSON.stringify(change(JSON.parse(text) as object)));
  writeFileSync(file, `${edited.join("\n")}\n`);
}

/** Puts all episodes into another scene. */
function rename(run: string, scene: string): void {
  const text = JSON.stringify(scene).slice(1, -1);
  const renamed = (content: string) =>
    content
      .replaceAll(/"scene_id":"[^"]*"/g, `"scene_id":"${text}"`)
      .replaceAll(/"episode_key":"vln\/[^/]*\/(\d)"/g, `"episode_key":"vln/${text}/$1"`)
      .replaceAll(/"node":"[^"]*"/g, '"heading":0');
  const lines = join(run, "episodes.jsonl");
  const kept = readFileSync(lines, "utf8").split("\n").slice(0, 4).join("\n");
  writeFileSync(lines, `${renamed(kept)}\n`);
  for (const name of readdirSync(join(run, "trajectories"))) {
    const path = join(run, "trajectories", name);
    writeFileSync(path, gzipSync(renamed(gunzipSync(readFileSync(path)).toString())));
  }
}

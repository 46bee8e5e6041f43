import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { lerobotFormat } from "../../src/dataset/formats/lerobot.js";
import { evaluate, linesOf, makeWorld, robotEvalHere } from "../support/cli.js";
import { episodesOf } from "../support/dataset-files.js";
import { jsonFromPython, testPython } from "../support/python.js";
import { sampled } from "../support/sampled.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

describe("robot-eval export", async () => {
  const world = makeWorld();
  const { run_dir } = await evaluate(world);
  const run = run_dir ?? "";
  const out = (name: string) => join(world.root, name);

  it("robot-eval export writes a file and prints its content", async () => {
    const args = ["export", run, "--to", "csv", "--out", out("a.csv")];
    const { code, stdout, stderr } = await robotEvalHere(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^6 episodes of .* written to .*a\.csv \(csv\)\n$/);
    expect(readFileSync(out("a.csv"), "utf8").split("\r\n")).toHaveLength(8);
  });

  it("robot-eval export prints one JSON document with --json", async () => {
    const args = ["export", run, "--to", "lerobot", "--out", out("l"), "--fps", "2", "--json"];
    const { code, stdout } = await robotEvalHere(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      run_dir: run,
      to: "lerobot",
      out: out("l"),
      episodes: 6,
      left_out: 0,
      notes: [expect.stringContaining("lose their argument")],
    });
  });

  it("robot-eval export writes a table that score imports with the same success rate", async () => {
    await robotEvalHere(["export", run, "--to", "csv", "--out", out("b.csv")]);
    const args = ["score", out("b.csv"), "--out", out("scored"), "--json", "--metrics", "spl"];
    const { code, stdout } = await robotEvalHere(args);
    expect(code).toBe(0);
    const { episodes, aggregated_metrics } = JSON.parse(stdout) as RunResults;
    expect(episodes).toMatchObject({ total: 6, success: 6, invalid: 0 });
    expect(aggregated_metrics.spl?.mean).toBe(1);
  });

  it("robot-eval export writes every repeat of an episode separately", async () => {
    const twice = await evaluate(world, { agent: "random", set: ["evaluation.repeats=2"] });
    const args = ["export", twice.run_dir ?? "", "--json"];
    const csv = await robotEvalHere([...args, "--to", "csv", "--out", out("twice.csv")]);
    expect(JSON.parse(csv.stdout)).toMatchObject({ episodes: 12 });
    await robotEvalHere([...args, "--to", "mcap", "--out", out("twice")]);
    expect(readdirSync(out("twice"))).toHaveLength(12);
    expect(readdirSync(out("twice"))).toContain("vln_yard_2+r1.mcap");
  });

  it.each<[string, string[], string]>([
    ["an unknown format", ["--to", "mcpa", "--out", "x"], 'did you mean "mcap"?'],
    ["no format", ["--out", "x"], "--to <format>"],
    ["no output path", ["--to", "csv"], "--out <path>"],
    [
      "a run on a graph for R2R-CE",
      ["--to", "r2r-ce", "--out", out("g.json")],
      "continuous environments",
    ],
    ["an unknown outcome", ["--to", "csv", "--out", "x", "--only", "good"], "Allowed choices"],
    ["--fps for a table", ["--to", "csv", "--out", "x", "--fps", "3"], "does not apply to csv"],
  ])("robot-eval export exits with 2 and the reason: %s", async (_, flags, words) => {
    const { code, stdout, stderr } = await robotEvalHere(["export", run, ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(existsSync(out("g.json"))).toBe(false);
  });

  it("robot-eval export lists its formats and shows examples in its help", async () => {
    const { code, stdout } = await robotEvalHere(["export", "--help"]);
    expect(code).toBe(0);
    for (const words of ["csv", "parquet", "lerobot", "mcap", "r2r-ce", "rxr", "Examples:"]) {
      expect(stdout).toContain(words);
    }
  });
});

interface VlnFile {
  readonly episodes: readonly {
    readonly episode_id: number;
    readonly instruction: Readonly<Record<string, unknown>>;
  }[];
}

function packed<T>(name: string): T {
  return JSON.parse(gunzipSync(readFileSync(join(root, "data/navmesh/vln", name))).toString());
}

describe("a submission exported from a run", async () => {
  const COUNT = 6;
  const world = makeWorld();
  const { episodes, ...rest } = packed<VlnFile>("val.json.gz");
  const some = episodes.slice(0, COUNT);
  const truth = packed<Readonly<Record<string, unknown>>>("val_gt.json.gz");
  const answers = Object.fromEntries(some.map(({ episode_id: id }) => [id, truth[String(id)]]));
  const rxr = some.map((episode) => ({
    ...episode,
    episode_id: String(episode.episode_id),
    instruction: {
      ...episode.instruction,
      instruction_id: String(1000 + episode.episode_id),
      language: "en-US",
    },
  }));
  const datasets = {
    "r2r-ce": world.write("r2r.json", { ...rest, episodes: some }),
    rxr: world.write("rxr.json", { episodes: rxr }),
  };
  world.write("r2r_gt.json", answers);
  world.write("rxr_gt.json", answers);

  function benchmark(dataset: string): string {
    return world.write("continuous.yaml", {
      benchmark: { name: "continuous" },
      vln_task: {
        type: "vln",
        config: {
          profile: "vlnce",
          metrics: [
            ...["success", "spl", "navigation_error", "oracle_success"],
            ...["path_length", "steps_taken", "ndtw", "sdtw"],
          ],
        },
      },
      dataset: { vln: { type: "vln", data_path: dataset } },
      // With this limit some episodes reach the goal and some do not.
      evaluation: { max_steps: 60, seed: 1 },
    });
  }

  async function there(to: "r2r-ce" | "rxr", agent: string) {
    const dataset = datasets[to];
    const args = ["run", benchmark(dataset), "--agent", agent, "--out", world.out, "--json"];
    const ran = JSON.parse((await robotEvalHere(args)).stdout) as RunResults;
    const file = join(world.root, `${to}-${agent}.json`);
    const exported = await robotEvalHere([
      ...["export", ran.run_dir ?? "", "--to", to, "--out", file],
    ]);
    expect(exported).toMatchObject({ code: 0 });
    const scored = await robotEvalHere([
      ...["score", file, "--dataset", dataset, "--out", world.out, "--json"],
    ]);
    expect(scored).toMatchObject({ code: 0 });
    const back = JSON.parse(scored.stdout) as RunResults;
    const byKey = async ({ run_dir }: RunResults) =>
      new Map((await linesOf(run_dir)).map((line) => [line.episode_key, line]));
    return { ran: await byKey(ran), back: await byKey(back), exported };
  }

  const metricsOf = (lines: ReadonlyMap<string, EpisodeLine>) =>
    Object.fromEntries(Array.from(lines, ([key, { metrics }]) => [key, metrics]));

  it.each(["shortest-path", "random"])(
    "an R2R-CE submission of a run has exactly its metrics: %s",
    async (agent) => {
      const { ran, back } = await there("r2r-ce", agent);
      expect(ran.size).toBe(COUNT);
      expect(metricsOf(back)).toEqual(metricsOf(ran));
    },
  );

  it("an RxR-CE submission of a run has its metrics, except steps_taken, if the episode stopped", async () => {
    const { ran, back, exported } = await there("rxr", "shortest-path");
    const stopped = [...ran.values()].filter(({ end_reason }) => end_reason === "stop");
    expect(stopped.length).toBeGreaterThan(0);
    expect(stopped.length).toBeLessThan(COUNT);
    for (const { episode_key, metrics } of stopped) {
      const { steps_taken: _turns, ...rest } = metrics;
      expect(back.get(episode_key)?.metrics).toMatchObject(rest);
    }
    expect(exported.stderr).toContain(`${COUNT - stopped.length} episodes ended without stop`);
  });
});

const READ_MCAP = `
import json, sys
import jsonschema
from mcap.reader import make_reader

def read(path):
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        topics, last, fits = {}, 0, {}
        for schema, channel, message in reader.iter_messages():
            assert message.log_time >= last
            last = message.log_time
            if schema.id not in fits:
                fits[schema.id] = jsonschema.Draft7Validator(json.loads(schema.data))
            fits[schema.id].validate(json.loads(message.data))
            topics[channel.topic] = topics.get(channel.topic, 0) + 1
        keys = [m.metadata["episode_key"] for m in reader.iter_metadata()]
        return {"topics": topics, "seconds": last / 1e9, "keys": keys}

print(json.dumps([read(path) for path in sys.argv[1:]]))
`;

const READ_PARQUET = `
import json, sys
import pyarrow.parquet as pq

def read(path):
    table = pq.read_table(path)
    types = {field.name: str(field.type) for field in table.schema}
    return {"rows": table.num_rows, "types": types, "first": table.slice(0, 1).to_pylist()[0]}

print(json.dumps([read(path) for path in sys.argv[1:]]))
`;

const python = testPython();

describe.skipIf(!python)("an export read by Python", () => {
  const world = makeWorld();
  let lines: EpisodeLine[] = [];
  let run = "";

  beforeAll(async () => {
    const yaml = join(root, "configs/benchmarks/unified_smoke.yaml");
    const args = ["run", yaml, "--filter", "task=vln|pick_place", "--limit", "2"];
    const { stdout } = await robotEvalHere([...args, "--out", world.out, "--json"]);
    run = (JSON.parse(stdout) as RunResults).run_dir ?? "";
    lines = await linesOf(run);
  }, 120_000);

  async function made(to: string, ...flags: readonly string[]): Promise<string> {
    const out = join(world.root, [to, ...flags].join("-"));
    expect(await robotEvalHere(["export", run, "--to", to, "--out", out, ...flags])).toMatchObject({
      code: 0,
    });
    return out;
  }

  it("exported MCAP files match their episodes, and messages satisfy their schemas", async () => {
    const folder = await made("mcap");
    const files = readdirSync(folder).map((name) => join(folder, name));
    const read = jsonFromPython<
      { topics: Record<string, number>; seconds: number; keys: string[] }[]
    >(python, READ_MCAP, ...files);
    expect(read.flatMap(({ keys }) => keys).sort()).toEqual(
      lines.map((line) => line.episode_key).sort(),
    );
    for (const { topics, seconds, keys } of read) {
      const line = lines.find(({ episode_key }) => episode_key === keys[0]);
      const steps = line?.steps ?? 0;
      expect(topics).toMatchObject({ "/tf": steps + 1, "/state": steps + 1, "/action": steps });
      expect(topics).toMatchObject({ "/scene": 1, "/log": 2, "/metrics": 1 });
      expect(seconds).toBeCloseTo(line?.task === "vln" ? steps / 4 : steps / 20, 6);
    }
  });

  it("an exported Parquet table has column types", async () => {
    const [table] = jsonFromPython<{ rows: number; types: object; first: object }[]>(
      python,
      READ_PARQUET,
      await made("parquet"),
    );
    expect(table).toMatchObject({
      rows: 4,
      types: { episode_key: "string", steps: "int64", seed: "int64", wall_ms: "double" },
      first: { fault: null, episode_key: lines[0]?.episode_key, seed: lines[0]?.seed },
    });
  });

  const widthsOf = [
    ["pick_place", { "observation.state": 7, "observation.ee_pose": 7, action: 8 }],
    ["vln", { "observation.state": 7, action: 4 }],
  ] as const;

  it.each(sampled(widthsOf, 1))(
    "an exported LeRobot dataset of %s has one row per step",
    async (task, widths) => {
      const folder = await made("lerobot", "--task", task, "--lerobot-version", "2.1");
      const episodes = await episodesOf(lerobotFormat, { path: folder });
      const mine = lines.filter((line) => line.task === task);
      expect(episodes).toHaveLength(2);
      const data = join(folder, "data/chunk-000");
      const files = readdirSync(data).map((name) => join(data, name));
      const read = jsonFromPython<
        { rows: number; types: object; first: Record<string, number[]> }[]
      >(python, READ_PARQUET, ...files);
      expect(read.map(({ rows }) => rows)).toEqual(mine.map(({ steps }) => steps));
      for (const { types, first } of read) {
        expect(types).toMatchObject({ timestamp: "float", frame_index: "int64", index: "int64" });
        for (const [feature, width] of Object.entries(widths)) {
          expect(types).toHaveProperty([feature], "list<element: float>");
          expect(first[feature]).toHaveLength(width);
        }
      }
    },
  );
});

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type PolicyEpisode } from "../../src/api/policy/index.js";
import type { EpisodeLine } from "../../src/core/interfaces/result.js";
import type { Submission } from "../../src/server/challenge/store/store.js";
import { ServedChallenge, Tap } from "../support/challenge.js";
import { linesOf, makeWorld } from "../support/cli.js";
import { distinctiveNumbers, leaksIn } from "../support/leaks.js";

/** Enough episodes that no bound of a mean's interval equals a single result. */
const WALKS = 6;
const PICKS = 2;
const files = makeWorld();

interface VlnEpisode {
  readonly episode_id: number;
  readonly scene_id: string;
  readonly start_position: readonly number[];
  readonly goals: readonly { readonly position: readonly number[] }[];
  readonly instruction: { readonly instruction_text: string };
  readonly reference_path: readonly (readonly number[])[];
  readonly info: { readonly geodesic_distance: number };
}

interface PickEpisode {
  readonly episode_id: string;
  readonly start_state: { readonly base_pose: readonly number[] };
  readonly goals: {
    readonly target_object: { readonly name: string };
    readonly target_location: { readonly position: readonly number[] };
  };
  readonly instruction: { readonly text: string };
}

const read = <T>(path: string): T => JSON.parse(gunzipSync(readFileSync(path)).toString()) as T;

/** The first shipped episodes with ids that are unique in a stream of bytes. */
function navigation() {
  const folder = "data/navmesh/vln";
  const whole = read<{ episodes: VlnEpisode[] }>(`${folder}/val.json.gz`);
  const truth = read<Record<string, { locations: number[][] }>>(`${folder}/val_gt.json.gz`);
  const episodes = whole.episodes
    .slice(0, WALKS)
    .map((episode, i) => ({ ...episode, episode_id: 704_170_010 + i }));
  const ways = episodes.map(({ episode_id }, i) => [episode_id, truth[String(i + 1)]] as const);
  files.write("nav/val.json", { ...whole, episodes });
  files.write("nav/val_gt.json", Object.fromEntries(ways));
  return { episodes, ways: ways.map(([, way]) => way?.locations ?? []) };
}

function manipulation(): readonly PickEpisode[] {
  const whole = read<{ episodes: PickEpisode[] }>("data/manipulation/pick_place/val.json.gz");
  const episodes = whole.episodes
    .slice(0, PICKS)
    .map((episode, i) => ({ ...episode, episode_id: `pick-number-${i}` }));
  files.write("pick/val.json", { ...whole, episodes });
  return episodes;
}

const nav = navigation();
const pick = manipulation();

/**
 * The shipped benchmarks with cameras of a few pixels. They disclose everything to policies, so only the challenge can
 * hide it.
 */
files.write(
  "nav.yaml",
  `benchmark: { name: secret walks }
vln_task: { type: vln, config: { profile: vlnce, metrics: [success, navigation_error, ndtw] } }
simulator:
  sensors:
    rgb: { width: 32, height: 24, hfov: 90 }
    depth: { width: 32, height: 24, hfov: 90, max_depth: 10 }
    instruction: {}
    gps: {}
    compass: {}
dataset: { vln: { type: vln, data_path: nav/val.json } }
evaluation: { seed: 70331, disclose: [goals, reference] }
`,
);
files.write(
  "pick.yaml",
  `benchmark: { name: secret things }
pick_place_task:
  type: pick_place
  config: { robot_type: stretch, metrics: [manip_success, completion_rate, trajectory_similarity] }
simulator:
  control_hz: 20
  sensors:
    rgb_head: { width: 32, height: 24 }
    rgb_wrist: { width: 16, height: 12 }
    instruction: {}
    qpos: {}
    ee_pose: {}
dataset: { pick_place: { type: pick_place, data_path: pick/val.json } }
evaluation: { seed: 70331, disclose: [goals, reference] }
`,
);
const CHALLENGE = `
name: Hidden rooms
phases:
  - { name: nav, benchmark: ${files.root}/nav.yaml, metrics: [success, ndtw], leaderboard: ndtw }
  - { name: pick, benchmark: ${files.root}/pick.yaml, metrics: [manip_success, completion_rate], leaderboard: manip_success }
limits: { evaluations: 4 }
`;

const PHASES = {
  nav: {
    said: nav.episodes.map(({ instruction }) => instruction.instruction_text),
    secrets: {
      texts: [
        ...nav.episodes.flatMap(({ episode_id, scene_id }) => [String(episode_id), scene_id]),
        ...["navigation_error", "geodesic", "trajectory_id", "secret walks"],
      ],
      numbers: [
        ...nav.ways.flat(2),
        ...nav.episodes.flatMap(({ start_position, goals, reference_path, info }) => [
          ...start_position,
          ...goals.flatMap(({ position }) => position),
          ...reference_path.flat(),
          info.geodesic_distance,
        ]),
      ],
    },
  },
  pick: {
    said: pick.map(({ instruction }) => instruction.text),
    secrets: {
      texts: [
        ...pick.flatMap(({ episode_id, goals }) => [episode_id, goals.target_object.name]),
        ...["tabletop", "target_location", "success_criteria", "trajectory_similarity"],
        "secret things",
      ],
      numbers: pick.flatMap(({ goals, start_state }) => [
        ...goals.target_location.position,
        ...start_state.base_pose.slice(0, 2),
      ]),
    },
  },
} as const;

/** Repeats one action twice, then stops. */
class ShortPolicy {
  static readonly names: string[] = [];
  #left = 2;
  #move: string | number[] = "";

  reset({ actionSpace, episodeId, sceneId }: PolicyEpisode): void {
    ShortPolicy.names.push(episodeId, sceneId);
    this.#left = 2;
    this.#move = actionSpace.actions?.includes("move_forward")
      ? "move_forward"
      : new Array<number>(actionSpace.shape?.[0] ?? 0).fill(0);
  }

  act(): string | number[] {
    return this.#left-- > 0 ? this.#move : "stop";
  }
}

let challenge: ServedChallenge;
beforeAll(async () => {
  challenge = await new ServedChallenge(CHALLENGE).ready();
});
afterAll(() => challenge?.stop());

/** Submits to a phase and reads all pages and documents that a team can read; returns every byte from the server. */
async function takePart(phase: keyof typeof PHASES, form: "msgpack" | "json") {
  const { team, token } = await challenge.team(`${phase} ${form}`);
  const tap = new Tap(challenge.port);
  const url = await tap.agentUrl();
  const query = `${url}?phase=${phase}`;
  await (await connect(ShortPolicy, query, { token, encodings: [form] })).closed;
  const [opened] = await challenge.store.submissions({ teamId: team.id });
  // The result may be recorded after the agent was disconnected.
  const isOver = ({ state }: Submission) => state !== "running";
  const submission = await challenge.until(opened?.id ?? "", isOver);
  expect(submission).toMatchObject({
    state: "done",
    episodes: { done: PHASES[phase].said.length },
  });
  const bytes = tap.bytes;
  const site = new URL("/", url.replace("ws:", "http:"));
  const headers = { Authorization: `Bearer ${token}` };
  const pages = ["", `phases/${phase}`, "team", `api/submissions/${submission.id}.json`];
  const documents = ["challenge", "team", `phases/${phase}/leaderboard`].map(
    (name) => `api/${name}.json`,
  );
  for (const path of [...pages, ...documents]) {
    const answer = await fetch(new URL(path, site), { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.arrayBuffer();
  }
  const lines = await linesOf(submission.runDir);
  const all = tap.bytes;
  tap.close();
  return { bytes, all, lines };
}

/** Seeds and metrics of single episodes. */
const results = (lines: readonly EpisodeLine[]) =>
  lines.flatMap(({ seed, agent_seed, metrics }) => [seed, agent_seed, ...Object.values(metrics)]);

describe.each(["nav", "pick"] as const)("the hidden episodes of phase %s", (phase) => {
  it.each(["msgpack", "json"] as const)(
    "the hidden episodes of a phase are not in any byte sent to agents and teams, with encoding %s",
    async (form) => {
      const { bytes, all, lines } = await takePart(phase, form);
      const { secrets, said } = PHASES[phase];
      const numbers = distinctiveNumbers([...secrets.numbers, ...results(lines)], 5);
      expect(numbers.length).toBeGreaterThan(8);
      expect(leaksIn(all, { texts: secrets.texts, numbers })).toEqual([]);
      expect(ShortPolicy.names.filter((name) => !/^[0-9a-f]{32}$/.test(name))).toEqual([]);
      // Checks that the search works: it finds the instructions and a planted number.
      for (const text of said) expect(bytes.includes(text)).toBe(true);
      expect(bytes.includes("reset_episode")).toBe(true);
      const planted = Buffer.concat([all, Buffer.from(`{"x":${numbers[0]}}`)]);
      expect(leaksIn(planted, { texts: [], numbers })).toEqual([numbers[0]]);
    },
  );
});

import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/core/math/random.js";
import { evidenceSize, writeEvidence } from "../support/evidence.js";
import { Fuzzer, type FuzzFrame, soundFrame } from "../support/fuzz.js";
import type { Prober } from "../support/fuzz-prober.js";
import { badAnswer, badFrame, badUpgrade, closeCodeIn } from "../support/fuzz-raw.js";
import {
  diallingEvaluator,
  diallingPolicy,
  type FuzzTarget,
  listeningEvaluator,
  pythonPolicyAt,
  servedPolicy,
} from "../support/fuzz-targets.js";
import { PolicyProcess } from "../support/policy-process.js";
import { testPython } from "../support/python.js";

const python = testPython();
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_301);
/** Frames per target; there are four targets. */
const FRAMES = evidenceSize({ full: 25_000, soak: 12_000 });
const PYTHON_FRAMES = evidenceSize({ full: 10_000, soak: 4_000 });
const UPGRADES = 300;
const BATCHES = 20;
/** Frames of a batch that are invalid at the WebSocket level. */
const RAW = 25;
/** Maximum memory growth in bytes over half of the frames: less than 100 per frame. */
const MOST_GROWTH = 2 ** 20;
/** Maximum number of frames over one connection. */
const MOST_FRAMES = 400;

const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
beforeAll(() => {
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
});
afterAll(() => {
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
});

/** Bytes in use after garbage collection. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("--expose-gc has no effect: gc is missing");
  for (let i = 0; i < 3; i++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Number of frames of an attack by the target's reaction. */
type ReactionCounts = Map<string, number>;

class Attack {
  readonly counts: ReactionCounts = new Map();
  readonly #target: FuzzTarget;
  readonly #random: Random;
  readonly #fuzzer: Fuzzer;
  #seq = 0;

  constructor(target: FuzzTarget, seed: number) {
    this.#target = target;
    this.#random = new Random(seed);
    this.#fuzzer = new Fuzzer(this.#random);
  }

  async frames(count: number): Promise<void> {
    let left = count;
    while (left > 0) {
      const isOpen = this.#random.below(5) > 0;
      const most = Math.min(left, isOpen ? MOST_FRAMES : MOST_FRAMES / 10);
      left -= isOpen ? await this.#connected(most) : await this.#unconnected(most);
    }
  }

  async #connected(most: number): Promise<number> {
    const { prober, sessionId } = await this.#target.open();
    // Three of four attacks take place within an episode, which has more state.
    if (this.#random.below(4) === 0) return this.#over(prober, most, sessionId, true);
    const begin = soundFrame("reset_episode", { sessionId, seq: this.#seq++ }, false);
    await this.#probe(prober, begin, true);
    return 1 + (await this.#over(prober, most - 1, sessionId, true));
  }

  async #unconnected(most: number): Promise<number> {
    return this.#over(await this.#target.early(), most, "", false);
  }

  async #over(prober: Prober, most: number, sessionId: string, isOpen: boolean): Promise<number> {
    let sent = 0;
    let isConnected = isOpen;
    // A mutated message may still be a valid handshake; then the rest belongs to an open connection.
    while (sent < most && !prober.isClosed && isConnected === isOpen) {
      const frame = this.#fuzzer.next({ sessionId, seq: this.#seq++ });
      isConnected = await this.#probe(prober, frame, isOpen);
      sent++;
    }
    await prober.close();
    return sent;
  }

  /** Sends a frame and checks the reaction; true if the connection is past the handshake afterwards. */
  async #probe(prober: Prober, frame: FuzzFrame, isOpen: boolean): Promise<boolean> {
    const fate = this.#target.fate(frame, isOpen);
    const { answers, closed } = await prober.probe(frame, fate);
    const [answer] = answers;
    this.#count(`${answer?.code ?? answer?.type ?? (closed ? `closed ${closed}` : fate)}`);
    return isOpen || answer?.type === "connected" || fate === "survived";
  }

  /** Sends frames that are invalid at the WebSocket level. */
  async raw(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const { how, bytes, codes } = badFrame(this.#random, this.#target.isServer);
      const raw = await this.#target.raw({ isUpgraded: true });
      raw.socket.write(bytes);
      await raw.end;
      const code = closeCodeIn(raw.said);
      expect(codes, `${how}: closed with ${code} after ${raw.said.toString("latin1")}`).toContain(
        code,
      );
      this.#count(`closed ${code}`);
    }
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

const attacks: Record<string, string | number>[] = [];

/** Writes the reaction counts and the memory use to stderr and to the evidence table. */
function report(name: string, { counts }: Attack, early: number, late: number): void {
  const fates = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([fate, count]) => `${fate} ${count}`);
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  process.stderr.write(
    `${name}: ${fates.join(", ")}; MiB held ${megabytes(early)}, then ${megabytes(late)}\n`,
  );
  const frames = [...counts.values()].reduce((sum, n) => sum + n, 0);
  attacks.push({
    ...{ "who is attacked": name, frames },
    ...{ "MiB early": megabytes(early), "MiB late": megabytes(late) },
  });
  writeEvidence("protocol-fuzz", "Fuzzed protocol frames", attacks);
}

/** The median, which a late garbage collection does not change. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe("an invalid HTTP handshake", () => {
  it.each([
    ["an evaluator", listeningEvaluator],
    ["a policy", servedPolicy],
  ])("an invalid HTTP handshake is rejected by %s that listens", async (_, start) => {
    const target = await start();
    const random = new Random(SEED);
    for (let i = 0; i < UPGRADES; i++) {
      const request = badUpgrade(random);
      const raw = await target.raw({ isUpgraded: false });
      raw.socket.end(request);
      await raw.end;
      // Some mutations leave a valid request, which is upgraded. Every answer must be HTTP.
      const said = raw.said.toString("latin1");
      expect(said, `FUZZ_SEED=${SEED}: ${JSON.stringify(request.toString("latin1"))}`).toMatch(
        /^$|^HTTP\/1\.1 (4\d\d|101) /,
      );
    }
    await target.play();
  });

  it.each([
    ["an evaluator", diallingEvaluator],
    ["a policy", diallingPolicy],
  ])(
    "an invalid HTTP handshake does not stop %s that connects from trying again",
    async (_, start) => {
      const target = await start();
      const random = new Random(SEED);
      for (let i = 0; i < UPGRADES / 6; i++) {
        for (let n = 0; n < 3; n++) {
          const raw = await target.raw({ isUpgraded: false });
          raw.socket.end(badAnswer(random, raw.said.toString("latin1")));
          await raw.end;
        }
        // A successful connection resets the backoff, which grows with each failure.
        await target.play();
      }
    },
  );
});

describe.skipIf(!python)("a hostile evaluator of a policy in Python", () => {
  it("a hostile evaluator of a Python policy gets an answer to every frame and does not block others", async () => {
    const script = fileURLToPath(new URL("../support/fault_policy.py", import.meta.url));
    const policy = new PolicyProcess([python ?? "", script]);
    const target = pythonPolicyAt(await policy.url);
    const attack = new Attack(target, SEED);
    const held: number[] = [];
    let batches = 0;
    try {
      for (; batches < 8; batches++) {
        await attack.frames(PYTHON_FRAMES / 8);
        await target.play();
        held.push(policy.residentBytes ?? 0);
      }
    } catch (error) {
      throw new Error(
        `FUZZ_SEED=${SEED}, batch ${batches}: ${String(error)}\n${policy.said.slice(-2000)}`,
      );
    }
    const [early, late] = [median(held.slice(2, 5)), median(held.slice(5))];
    report("a policy in Python", attack, early, late);
    // A higher limit, because resident memory includes freed memory that the allocator keeps.
    expect(late - early, `bytes gained (FUZZ_SEED=${SEED})`).toBeLessThan(8 * MOST_GROWTH);
    await policy.kill();
  });
});

describe("a hostile peer", () => {
  it.each([
    ["a policy that dials the evaluator", listeningEvaluator],
    ["a policy that the evaluator dials", diallingEvaluator],
    ["an evaluator that dials the policy", servedPolicy],
    ["an evaluator that the policy dials", diallingPolicy],
  ])(
    "a hostile peer gets the expected reaction to every frame and does not block others: %s",
    async (name, start) => {
      const target = await start();
      const seed = SEED + name.length;
      const attack = new Attack(target, seed);
      const held: number[] = [];
      const batch = FRAMES / BATCHES;
      try {
        for (let i = 0; i < BATCHES; i++) {
          await attack.frames(batch - RAW);
          await attack.raw(RAW);
          await target.play();
          held.push(heldBytes());
        }
      } catch (error) {
        throw new Error(`FUZZ_SEED=${SEED}, batch ${held.length}: ${String(error)}`, {
          cause: error,
        });
      }
      const sent = [...attack.counts.values()].reduce((sum, n) => sum + n, 0);
      expect(sent).toBe(FRAMES);
      expect(unhandled).toEqual([]);
      // The first batches are excluded: they fill caches and compile code.
      const early = median(held.slice(BATCHES / 4, BATCHES / 2));
      const late = median(held.slice((BATCHES * 3) / 4));
      report(name, attack, early, late);
      expect(late - early, `bytes gained (FUZZ_SEED=${SEED})`).toBeLessThan(MOST_GROWTH);
    },
  );
});

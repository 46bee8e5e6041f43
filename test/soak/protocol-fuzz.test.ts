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
/** Of each target; there are four. */
const FRAMES = evidenceSize({ full: 25_000, soak: 12_000 });
const PYTHON_FRAMES = evidenceSize({ full: 10_000, soak: 4_000 });
const UPGRADES = 300;
const BATCHES = 20;
/** Of a batch, those that are wrong below the messages. */
const RAW = 25;
/** Bytes that may be gained over half of the frames: less than 100 for each. */
const MOST_GROWTH = 2 ** 20;
/** Frames over one connection, if it lives so long. */
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

/** Bytes in use when nothing that could be let go is left. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("no garbage collector can be called");
  for (let i = 0; i < 3; i++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** How the frames of an attack were taken. */
type Tally = Map<string, number>;

class Attack {
  readonly tally: Tally = new Map();
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
    // Mostly within an episode, where there is more to break.
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
    // By chance or not, a handshake may be done; what follows is for connections that are open.
    while (sent < most && !prober.isClosed && isConnected === isOpen) {
      const frame = this.#fuzzer.next({ sessionId, seq: this.#seq++ });
      isConnected = await this.#probe(prober, frame, isOpen);
      sent++;
    }
    await prober.close();
    return sent;
  }

  /** Whether the connection is open afterwards. */
  async #probe(prober: Prober, frame: FuzzFrame, isOpen: boolean): Promise<boolean> {
    const fate = this.#target.fate(frame, isOpen);
    const { answers, closed } = await prober.probe(frame, fate);
    const [answer] = answers;
    this.#count(`${answer?.code ?? answer?.type ?? (closed ? `closed ${closed}` : fate)}`);
    return isOpen || answer?.type === "connected" || fate === "survived";
  }

  /** Wrong below the messages. */
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
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }
}

const attacks: Record<string, string | number>[] = [];

/** Logs what was sent and what became of it: a test that passes shows no numbers. */
function tell(name: string, { tally }: Attack, early: number, late: number): void {
  const fates = [...tally].sort(([, a], [, b]) => b - a).map(([fate, count]) => `${fate} ${count}`);
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  process.stderr.write(
    `${name}: ${fates.join(", ")}; MiB held ${megabytes(early)}, then ${megabytes(late)}\n`,
  );
  const frames = [...tally.values()].reduce((sum, n) => sum + n, 0);
  attacks.push({
    ...{ "who is attacked": name, frames },
    ...{ "MiB early": megabytes(early), "MiB late": megabytes(late) },
  });
  writeEvidence("protocol-fuzz", "Fuzzed protocol frames", attacks);
}

/** The middle one, which a collection that came late does not move. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe("an invalid HTTP handshake", () => {
  it.each([
    ["an evaluator", listeningEvaluator],
    ["a policy", servedPolicy],
  ])("is refused by %s that listens", async (_, start) => {
    const target = await start();
    const random = new Random(SEED);
    for (let i = 0; i < UPGRADES; i++) {
      const request = badUpgrade(random);
      const raw = await target.raw({ isUpgraded: false });
      raw.socket.end(request);
      await raw.end;
      // Some changes leave a request that may be granted; an answer that is not HTTP is never given.
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
  ])("does not keep %s that dials from trying again", async (_, start) => {
    const target = await start();
    const random = new Random(SEED);
    for (let i = 0; i < UPGRADES / 6; i++) {
      for (let n = 0; n < 3; n++) {
        const raw = await target.raw({ isUpgraded: false });
        raw.socket.end(badAnswer(random, raw.said.toString("latin1")));
        await raw.end;
      }
      // Who fails again and again pauses longer and longer; one success makes it quick again.
      await target.play();
    }
  });
});

describe.skipIf(!python)("a hostile evaluator of a policy in Python", () => {
  it("gets an answer to every frame and does not block other clients", async () => {
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
    tell("a policy in Python", attack, early, late);
    // Pages, not objects: the allocator keeps what it once had.
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
  ])("%s: every frame has its answer, and who is honest is served", async (name, start) => {
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
    const taken = [...attack.tally.values()].reduce((sum, n) => sum + n, 0);
    expect(taken).toBe(FRAMES);
    expect(unhandled).toEqual([]);
    // What is compiled and cached on the way comes in the first batches.
    const early = median(held.slice(BATCHES / 4, BATCHES / 2));
    const late = median(held.slice((BATCHES * 3) / 4));
    tell(name, attack, early, late);
    expect(late - early, `bytes gained (FUZZ_SEED=${SEED})`).toBeLessThan(MOST_GROWTH);
  });
});

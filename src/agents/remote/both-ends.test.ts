import { describe, expect, it, onTestFinished } from "vitest";
import { evaluate, type TinyWorld, tinyWorld } from "../../../test/support/tiny-world.js";
import { connect, serve } from "../../api/policy/index.js";
import type { EvaluatorOptions } from "../../evaluator/evaluator.js";
import { createRegistries } from "../../registry/registries.js";
import { RemotePolicies } from "./factory.js";

/** Its actions depend on everything it receives, so that one wrong number shows. */
class HashPolicy {
  #told = "";

  reset({ fields }: { readonly fields: unknown }): void {
    this.#told = JSON.stringify(fields);
  }

  act(observation: Readonly<Record<string, unknown>>): string {
    const text = this.#told + JSON.stringify(observation);
    let hash = 0;
    for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
    return ["turn_left", "turn_right", "move_forward", "stop"][hash % 4] ?? "stop";
  }
}

const world = (encoding: string): TinyWorld => tinyWorld({ sections: { policy: { encoding } } });

async function served(encoding: string, options: EvaluatorOptions = {}) {
  const server = await serve(HashPolicy, { port: 0 });
  onTestFinished(() => server.close());
  return resultsOf(await evaluate(world(encoding), server.url, options));
}

async function dialledIn(encoding: string, options: EvaluatorOptions = {}) {
  const registries = createRegistries();
  const policies = new RemotePolicies((text) => {
    const url = /ws:\S+\d/.exec(text)?.[0];
    if (url !== undefined) void connect(HashPolicy, url);
  });
  registries.agents.register("in", policies.listening);
  return resultsOf(await evaluate(world(encoding), "in:0", { ...options, registries }));
}

/** The result of each episode, sorted, because episodes end in any order. */
function resultsOf({ lines }: Awaited<ReturnType<typeof evaluate>>): readonly unknown[] {
  return lines
    .map(({ episode_key, outcome, fault, steps, final_state_hash }) => ({
      episode_key,
      outcome,
      fault,
      steps,
      final_state_hash,
    }))
    .sort((a, b) => a.episode_key.localeCompare(b.episode_key));
}

describe("policies served by this package", () => {
  it("policies served by this package give the same results in both encodings, both dial directions, sequentially and concurrently", async () => {
    const expected = await served("json");
    expect(expected).toMatchObject(Array.from({ length: 4 }, () => ({ fault: undefined })));
    expect(await served("msgpack")).toEqual(expected);
    expect(await served("msgpack", { concurrency: 4 })).toEqual(expected);
    expect(await dialledIn("json")).toEqual(expected);
    expect(await dialledIn("msgpack", { concurrency: 3 })).toEqual(expected);
  });

  it("a policy served as one object serves one evaluation at a time", async () => {
    const server = await serve(new HashPolicy(), { port: 0 });
    onTestFinished(() => server.close());
    await evaluate(world("json"), server.url);
    await evaluate(world("json"), server.url);
    await expect(evaluate(world("json"), server.url, { concurrency: 2 })).rejects.toMatchObject({
      code: "busy",
      hint: expect.stringContaining("--concurrency 1"),
    });
  });
});

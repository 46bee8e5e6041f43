import { describe, expect, it } from "vitest";
import {
  agentText,
  cleanIdentity,
  identityText,
  isSameIdentity,
  policiesText,
} from "./policy-identity.js";

describe("cleanIdentity", () => {
  it("cleanIdentity bounds every text of a policy and removes its control characters", () => {
    const cleaned = cleanIdentity({
      name: `evil\u001b[2J${"x".repeat(1000)}`,
      version: "1\n2",
      checkpoint: "c".repeat(1000),
      metadata: { ["k".repeat(1000)]: "v".repeat(1000), ok: 1, yes: true },
    });
    expect(cleaned.name).toHaveLength(100);
    expect(cleaned.name).toContain("evil\ufffd[2J");
    expect(cleaned.version).toBe("1\ufffd2");
    expect(cleaned.checkpoint).toHaveLength(500);
    expect(Object.keys(cleaned.metadata ?? {}).map((key) => key.length)).toEqual([100, 2, 3]);
    expect(Object.values(cleaned.metadata ?? {}).slice(1)).toEqual([1, true]);
  });

  it("cleanIdentity keeps at most 32 entries of metadata", () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]));
    expect(Object.keys(cleanIdentity({ name: "p", metadata: many }).metadata ?? {})).toHaveLength(
      32,
    );
  });
});

describe("identityText", () => {
  it("identityText distinguishes two checkpoints of one policy", () => {
    const texts = ["a", "b"].map((checkpoint) =>
      identityText({ name: "openvla", version: "7b", checkpoint }),
    );
    expect(texts).toEqual(["openvla 7b, checkpoint a", "openvla 7b, checkpoint b"]);
  });

  it("identityText is the name alone if the policy declares nothing else", () => {
    expect(identityText({ name: "MyPolicy" })).toBe("MyPolicy");
  });
});

describe("policiesText", () => {
  it("policiesText names a policy once if it acts in every task, and by task otherwise", () => {
    expect(policiesText({ vln: { name: "A" }, pick_place: { name: "A" } })).toBe("A");
    expect(policiesText({ vln: { name: "A" }, pick_place: { name: "B" } })).toBe(
      "vln: A; pick_place: B",
    );
    expect(policiesText({})).toBeUndefined();
  });
});

describe("agentText", () => {
  it("agentText has the declared policy and the address, or the agent alone", () => {
    const agent = "ws://localhost:8000";
    expect(agentText({ agent, policies: { vln: { name: "A" } } })).toBe("A (ws://localhost:8000)");
    expect(agentText({ agent: "random" })).toBe("random");
  });
});

describe("isSameIdentity", () => {
  it("isSameIdentity ignores metadata, which may name the machine", () => {
    const one = { name: "A", checkpoint: "1", metadata: { host: "x" } };
    expect(isSameIdentity(one, { name: "A", checkpoint: "1" })).toBe(true);
    expect(isSameIdentity(one, { name: "A", checkpoint: "2" })).toBe(false);
    expect(isSameIdentity(undefined, undefined)).toBe(true);
    expect(isSameIdentity(one, undefined)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { connectMs, firstDialInMs, policySchema } from "./policy.js";

describe("connect_timeout", () => {
  it("connect_timeout is 30 s by default, but the cold start for the first policy that dials in", () => {
    const settings = policySchema.parse({});
    expect(connectMs(settings)).toBe(30_000);
    expect(firstDialInMs(settings)).toBe(600_000);
    expect(firstDialInMs(policySchema.parse({ cold_start_timeout: 5 }))).toBe(30_000);
  });

  it("connect_timeout limits both if it is set", () => {
    const settings = policySchema.parse({ connect_timeout: 6 });
    expect(connectMs(settings)).toBe(6000);
    expect(firstDialInMs(settings)).toBe(6000);
  });
});

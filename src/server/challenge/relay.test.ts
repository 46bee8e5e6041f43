import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rogue } from "../../../test/support/challenge.js";
import { Relay } from "./relay.js";

const TOKEN = "what evaluators know";
const SUBMISSION = "00000000-0000-4000-8000-000000000000";
let relay: Relay;
beforeAll(async () => {
  relay = await Relay.listen({ host: "127.0.0.1", port: 0, token: TOKEN });
});
afterAll(() => relay.close());

async function refusal(token: string, role = "evaluator"): Promise<unknown> {
  const caller = new Rogue(relay.address(SUBMISSION));
  await caller.hello(token, { role });
  const { code } = await caller.until("error");
  await caller.closed;
  return code;
}

describe("the relay", () => {
  it("tells who does not know its token nothing, not even whether a submission is under way", async () => {
    for (const token of ["", "guess", TOKEN.slice(1), `${TOKEN}.`]) {
      expect(await refusal(token)).toBe("unauthorized");
    }
    expect(await refusal(TOKEN)).toBe("no_submission");
  });

  it("is no door for agents", async () => {
    expect(await refusal(TOKEN, "agent")).toBe("bad_role");
  });
});

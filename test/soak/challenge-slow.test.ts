import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rogue, ServedChallenge } from "../support/challenge.js";
import { makeWorld } from "../support/cli.js";

const world = makeWorld();
let challenge: ServedChallenge;
beforeAll(async () => {
  challenge = await new ServedChallenge(`name: patience
phases: [{ name: test, benchmark: ${world.yaml}, metrics: [success], leaderboard: success }]
`).ready();
});
afterAll(() => challenge?.stop());

/** Sends this and nothing more; resolves with the answer when the server has closed the connection. */
function sendAndStall(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(challenge.port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

// Concurrent, because each waits half a minute. Node's own timeouts are minutes.
describe.concurrent("a stalled client", { timeout: 50_000 }, () => {
  it("a client that stalls while sending headers is disconnected", async () => {
    expect(await sendAndStall("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")).toMatch(/^HTTP\/1.1 408/);
  });

  it("a client that stalls while sending a body is disconnected", async () => {
    const { token } = await challenge.team("slow");
    const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100`;
    const answer = await sendAndStall(`POST /api/submissions HTTP/1.1\r\n${head}\r\n\r\n{"phase"`);
    expect(answer).not.toMatch(/ 2\d\d /);
  });

  it("a client that stalls at the agent endpoint is disconnected", async () => {
    const silent = await new Rogue(`ws://127.0.0.1:${challenge.port}/agent`).open();
    expect(await silent.closed).toBe(1008);
    expect(silent.heard).toContainEqual(expect.objectContaining({ code: "no_handshake" }));
  });
});

import { describe, expect, it, vi } from "vitest";
import { deferred, nextTurn, stopClock, until } from "../../../test/support/clock.js";
import type { EmbeddedDatabase, EmbeddedOptions } from "./embedded.js";
import { superviseEmbedded } from "./supervised.js";

const PORT = 5433;
const MINUTE_MS = 60_000;

/** A server that runs until the test lets it die or it is stopped. */
function fakeServer() {
  const ended = deferred();
  const stop = vi.fn(async () => ended.resolve());
  return { url: "postgres://it", port: PORT, ended: ended.promise, stop, die: ended.resolve };
}

type Start = (options: EmbeddedOptions) => Promise<EmbeddedDatabase>;

/** A supervised server. Each element of `starts` answers one start; further starts succeed. */
async function supervised(...starts: Start[]) {
  stopClock();
  const servers: ReturnType<typeof fakeServer>[] = [];
  const asked: EmbeddedOptions[] = [];
  const onRestart = vi.fn();
  const onLost = vi.fn();
  const start = async (_: string, options: EmbeddedOptions = {}) => {
    asked.push(options);
    const scripted = asked.length > 1 ? starts.shift() : undefined;
    if (scripted) return scripted(options);
    const server = fakeServer();
    servers.push(server);
    return server;
  };
  const events = { onRestart, onLost };
  const database = await superviseEmbedded("data", events, { settings: { a: "b" } }, start);
  /** Lets the running server die and waits until the supervisor has reacted. */
  const die = async () => {
    const reactions = () => onRestart.mock.calls.length + onLost.mock.calls.length;
    const before = reactions();
    servers.at(-1)?.die();
    await until(() => reactions() > before);
  };
  return { database, servers, asked, onRestart, onLost, die };
}

const failing =
  (message: string, meanwhile = () => {}): Start =>
  () => {
    meanwhile();
    return Promise.reject(new Error(message));
  };
const HELD = 'lock file "postmaster.pid" already exists';

describe("a supervised PostgreSQL server", () => {
  it("a supervised PostgreSQL server is started again with its settings at the same port when it dies", async () => {
    const { database, asked, servers, onRestart, onLost, die } = await supervised();
    expect(database).toMatchObject({ url: "postgres://it", port: PORT });
    await die();
    await die();
    expect(asked).toEqual([
      { settings: { a: "b" } },
      { settings: { a: "b" }, port: PORT },
      { settings: { a: "b" }, port: PORT },
    ]);
    expect(onRestart.mock.calls).toEqual([[1], [2]]);
    await database.stop();
    expect(servers.at(-1)?.stop).toHaveBeenCalled();
    expect(onLost).not.toHaveBeenCalled();
  });

  it("a supervised PostgreSQL server is given up when it dies for the fourth time within ten minutes", async () => {
    const { asked, onRestart, onLost, die } = await supervised();
    for (let i = 0; i < 3; i++) {
      await die();
      vi.advanceTimersByTime(3 * MINUTE_MS);
    }
    expect(onRestart).toHaveBeenCalledTimes(3);
    await die();
    expect(asked.length).toBe(4);
    expect(onLost.mock.calls).toEqual([
      [
        expect.objectContaining({
          ...{ code: "database_lost", exitCode: 1, where: "data" },
          message: expect.stringContaining("it exited 4 times in ten minutes"),
        }),
      ],
    ]);
  });

  it("a supervised PostgreSQL server is started again however often it dies if ten minutes have three deaths at most", async () => {
    const { database, onRestart, onLost, die } = await supervised();
    for (let i = 0; i < 8; i++) {
      await die();
      vi.advanceTimersByTime(4 * MINUTE_MS);
    }
    expect(onRestart.mock.calls).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((count) => [count]));
    expect(onLost).not.toHaveBeenCalled();
    await database.stop();
  });

  it("a supervised PostgreSQL server is started again once the dead server has released its lock and memory", async () => {
    const { asked, onRestart, onLost, die } = await supervised(
      failing(HELD),
      failing("pre-existing shared memory block is still in use"),
    );
    await die();
    expect(asked.length).toBe(4);
    expect(onRestart.mock.calls).toEqual([[1]]);
    expect(onLost).not.toHaveBeenCalled();
  });

  it("a supervised PostgreSQL server is lost if its lock is held for more than 30 seconds", async () => {
    const later = () => void vi.advanceTimersByTime(20_000);
    const { asked, onLost, die } = await supervised(failing(HELD, later), failing(HELD, later));
    await die();
    expect(asked.length).toBe(3);
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  it("a supervised PostgreSQL server is lost at once if it cannot be started for another reason, which the error names", async () => {
    const { asked, onRestart, onLost, die } = await supervised(failing("no space left on device"));
    await die();
    expect(asked.length).toBe(2);
    expect(onRestart).not.toHaveBeenCalled();
    expect(onLost.mock.calls[0]?.[0]).toMatchObject({
      ...{ code: "database_lost", cause: new Error("no space left on device") },
      message: expect.stringContaining("no space left on device"),
    });
  });
});

describe("a supervised PostgreSQL server that is stopped", () => {
  it("a supervised PostgreSQL server that is stopped is not started again", async () => {
    const { database, asked, servers, onRestart, onLost } = await supervised();
    await database.stop();
    await nextTurn();
    expect(asked.length).toBe(1);
    expect(servers[0]?.stop).toHaveBeenCalled();
    expect([onRestart.mock.calls, onLost.mock.calls]).toEqual([[], []]);
  });

  it("a supervised PostgreSQL server that is stopped is stopped also if it was being started again, and nothing is reported", async () => {
    const again = deferred<EmbeddedDatabase>();
    const { database, asked, servers, onRestart, onLost } = await supervised(() => again.promise);
    servers[0]?.die();
    await until(() => asked.length >= 2);
    let isStopped = false;
    const stopped = database.stop().then(() => {
      isStopped = true;
    });
    await nextTurn();
    expect(isStopped).toBe(false);
    const second = fakeServer();
    const stopSecond = deferred();
    again.resolve({ ...second, stop: () => stopSecond.promise.then(second.stop) });
    await nextTurn();
    expect(isStopped).toBe(false);
    stopSecond.resolve();
    // Ends the supervisor's wait for the new server.
    second.die();
    await stopped;
    expect(second.stop).toHaveBeenCalled();
    expect([onRestart.mock.calls, onLost.mock.calls]).toEqual([[], []]);
  });

  it("a supervised PostgreSQL server that is stopped reports nothing if its restart fails meanwhile, and does not wait for a lock", async () => {
    const again = deferred<EmbeddedDatabase>();
    const { database, asked, servers, onLost } = await supervised(() => again.promise);
    servers[0]?.die();
    await until(() => asked.length >= 2);
    const stopped = database.stop();
    again.reject(new Error(HELD));
    await stopped;
    expect(asked.length).toBe(2);
    expect(onLost).not.toHaveBeenCalled();
  });
});

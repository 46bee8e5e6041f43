import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { deferred, stopClock, until } from "../../../test/support/clock.js";
import { makeDisk } from "../../../test/support/disk.js";
import { Readiness } from "./readiness.js";

const store = { ping: async () => {} };

/** A readiness check of a database that can be stopped, and the number of its pings. */
function checked() {
  const database = { isDown: false, pings: 0 };
  const ping = async () => {
    database.pings++;
    if (database.isDown) throw new Error("connection refused");
  };
  return { database, readiness: new Readiness({ store: { ping }, runs: temporaryFolder() }) };
}

describe("the readiness check of a challenge server", () => {
  it("a challenge server accepts submissions as soon as the database answers again", async () => {
    stopClock();
    const { database, readiness } = checked();
    database.isDown = true;
    expect(await readiness.problem()).toBe("the server's database does not answer");
    database.isDown = false;
    expect(await readiness.problem()).toBeUndefined();
  });

  it("the readiness check of a challenge server asks the database once for probes that arrive together or soon after a good answer", async () => {
    stopClock();
    const { database, readiness } = checked();
    await Promise.all([readiness.problem(), readiness.problem()]);
    await readiness.problem();
    vi.advanceTimersByTime(500);
    await readiness.problem();
    expect(database.pings).toBe(1);
    vi.advanceTimersByTime(1);
    await readiness.problem();
    expect(database.pings).toBe(2);
  });
});

it("a server is ready when its storage can be written and its database answers", async () => {
  const runs = temporaryFolder();
  expect(await new Readiness({ store, runs }).problem()).toBeUndefined();
  // The probe file was removed.
  expect(readdirSync(runs)).toEqual([]);
});

it("a server is not ready when its folder of runs is missing", async () => {
  const runs = join(temporaryFolder(), "gone");
  expect(await new Readiness({ store, runs }).problem()).toBe(
    "the server's storage cannot be written (ENOENT)",
  );
});

it("a server is not ready when it cannot write a file into its folder of runs", async () => {
  const runs = temporaryFolder();
  mkdirSync(join(runs, `.writable-${process.pid}`));
  expect(await new Readiness({ store, runs }).problem()).toBe(
    "the server's storage cannot be written (EISDIR)",
  );
});

it("a server is not ready when its database does not answer", async () => {
  const away = { ping: () => Promise.reject(new Error("password of the database")) };
  expect(await new Readiness({ store: away, runs: temporaryFolder() }).problem()).toBe(
    "the server's database does not answer",
  );
});

it("a server is not ready once it is about to end, and says why", async () => {
  const readiness = new Readiness({ store, runs: temporaryFolder() });
  readiness.fail("the database is lost");
  expect([readiness.failure, await readiness.problem()]).toEqual([
    "the database is lost",
    "the database is lost",
  ]);
});

describe("a challenge server whose file system", () => {
  const MIB = 2 ** 20;
  const problemWith = (bavail: number, files: number, ffree: number) =>
    new Readiness({
      ...{ store, runs: temporaryFolder() },
      statfs: async () => ({ bavail, bsize: MIB, files, ffree }),
    }).problem();

  it("a challenge server whose file system has no free inode is not ready, and one with a single free inode is", async () => {
    expect(await problemWith(64, 1000, 0)).toBe(
      "the server's storage is full: it can hold no more files",
    );
    expect(await problemWith(64, 1000, 1)).toBeUndefined();
  });

  it("a challenge server whose file system counts no inodes is ready", async () => {
    expect(await problemWith(64, 0, 0)).toBeUndefined();
  });

  it("a challenge server whose file system has less than 64 MiB is not ready, however many inodes it counts", async () => {
    const full = "the server's storage is full: 63 MiB are free, 64 MiB are needed";
    expect(await problemWith(63, 0, 0)).toBe(full);
    expect(await problemWith(63, 1000, 1000)).toBe(full);
  });
});

const [small, large] = [makeDisk(63 * 1024), makeDisk(65 * 1024)];
it.skipIf(!small || !large)("a server is not ready with less than 64 MiB of storage", async () => {
  expect(await new Readiness({ store, runs: small ?? "" }).problem()).toBe(
    "the server's storage is full: 63 MiB are free, 64 MiB are needed",
  );
  expect(await new Readiness({ store, runs: large ?? "" }).problem()).toBeUndefined();
});

it("a server finds a new problem at once when it is told to check again", async () => {
  let answers = true;
  const ping = () => (answers ? Promise.resolve() : Promise.reject(new Error("down")));
  const readiness = new Readiness({ store: { ping }, runs: temporaryFolder() });
  expect(await readiness.problem()).toBeUndefined();
  answers = false;
  readiness.recheck();
  expect(await readiness.problem()).toBe("the server's database does not answer");
});

it("a server keeps a good answer when an earlier check ends with a problem", async () => {
  const first = deferred();
  const pings = vi.fn().mockReturnValueOnce(first.promise).mockResolvedValue(undefined);
  const readiness = new Readiness({ store: { ping: pings }, runs: temporaryFolder() });
  const earlier = readiness.problem();
  await until(() => pings.mock.calls.length === 1);
  readiness.recheck();
  stopClock();
  expect(await readiness.problem()).toBeUndefined();
  first.reject(new Error("down"));
  expect(await earlier).toBe("the server's database does not answer");
  await readiness.problem();
  expect(pings).toHaveBeenCalledTimes(2);
});

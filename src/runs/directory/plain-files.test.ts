import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { makePipe } from "../../../test/support/hostile-run.js";
import { checkRunFolder, openPlain, readPlain, readPlainSync } from "./plain-files.js";
import { FILES } from "./run-files.js";
import { isBeingWritten } from "./run-lock.js";
import { readTrajectory } from "./trajectory.js";

it.each(Object.values(FILES))("a run whose %s is a symbolic link is rejected", async (name) => {
  const [run, outside] = [temporaryFolder(), temporaryFolder()];
  await expect(checkRunFolder(run)).resolves.toBeUndefined();
  writeFileSync(join(outside, "file"), "");
  const isFolder = !name.includes(".");
  symlinkSync(isFolder ? outside : join(outside, "file"), join(run, name));
  await expect(checkRunFolder(run)).rejects.toMatchObject({ code: "not_plain" });
});

it("a run with a folder in place of a file, or a file in place of a folder, is rejected", async () => {
  const [one, two] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(one, FILES.episodes));
  writeFileSync(join(two, FILES.trajectories), "");
  for (const run of [one, two]) {
    await expect(checkRunFolder(run)).rejects.toMatchObject({ code: "not_plain" });
  }
});

it("a trajectory that is a symbolic link, or in a linked folder, is not read", async () => {
  const [run, outside] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(outside, "a.jsonl.gz"), "");
  mkdirSync(join(run, "trajectories"));
  symlinkSync(join(outside, "a.jsonl.gz"), join(run, "trajectories/a.jsonl.gz"));
  symlinkSync(outside, join(run, "linked"));
  for (const name of ["trajectories/a.jsonl.gz", "linked/a.jsonl.gz"]) {
    await expect(readTrajectory(join(run, name))).rejects.toMatchObject({ code: "not_plain" });
  }
});

// Windows has no named pipes in the file system.
describe.skipIf(process.platform === "win32")("a named pipe", () => {
  const pipe = () => {
    const path = join(temporaryFolder(), "pipe");
    makePipe(path);
    return path;
  };

  it.each([
    ["opened", openPlain],
    ["read", readPlain],
    ["read at once", async (path: string) => readPlainSync(path)],
  ])(
    "the reader of run directories rejects a named pipe when a plain file is %s",
    async (_, read) => {
      await expect(read(pipe())).rejects.toMatchObject({ code: "not_plain" });
    },
  );

  it("a named pipe in place of run.lock does not count as a lock", async () => {
    const run = temporaryFolder();
    makePipe(join(run, FILES.lock));
    expect(await isBeingWritten(run)).toBe(false);
  });
});

it("plain files of any size are read completely", async () => {
  const path = join(temporaryFolder(), "file");
  for (const size of [0, 10, 2 ** 18 + 1]) {
    const content = Buffer.alloc(size, "abc");
    writeFileSync(path, content);
    expect((await readPlain(path)).equals(content), String(size)).toBe(true);
  }
});

it("checkRunFolder accepts every folder that a run can have, and rejects a link", async () => {
  const run = temporaryFolder();
  for (const name of ["trajectories", "videos", "geometry", "simulatorLogs", "maps"] as const) {
    mkdirSync(join(run, FILES[name]));
  }
  await expect(checkRunFolder(run)).resolves.toBeUndefined();
  symlinkSync("/etc/hostname", join(run, FILES.summary));
  await expect(checkRunFolder(run)).rejects.toThrow("found a symbolic link");
});

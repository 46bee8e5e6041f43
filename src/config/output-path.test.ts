import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { checkOutput, makeFolder, type OutputKind } from "./output-path.js";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "robot-eval-output-"));
  writeFileSync(join(root, "file"), "precious");
  mkdirSync(join(root, "folder"));
  symlinkSync(join(root, "file"), join(root, "link-to-file"));
  symlinkSync(join(root, "folder"), join(root, "link-to-folder"));
  symlinkSync(join(root, "nowhere"), join(root, "dangling-link"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const KINDS: readonly OutputKind[] = ["file", "folder", "file-or-folder", "parent"];

/** For which kinds of output each name in `root` is accepted. */
const ACCEPTED: Readonly<Record<string, readonly OutputKind[]>> = {
  absent: KINDS,
  "absent/below": KINDS,
  file: ["file", "file-or-folder"],
  folder: ["folder", "file-or-folder", "parent"],
  "link-to-file": [],
  "link-to-folder": ["parent"],
  "link-to-folder/below": KINDS,
  "dangling-link": [],
  "file/below": [],
  "file/far/below": [],
};

describe.each(Object.entries(ACCEPTED))("an output at %s", (name, kinds) => {
  it.each(KINDS)("an output as a %s is accepted or rejected at this path as documented", (kind) => {
    const path = join(root, name);
    if (kinds.includes(kind)) checkOutput(path, kind);
    else {
      expect(() => checkOutput(path, kind)).toThrow(
        expect.objectContaining({ code: "cannot_write", exitCode: 2 }),
      );
    }
  });
});

describe.skipIf(process.platform === "win32")("an output at a special file", () => {
  it.each(KINDS)(
    "an output at a named pipe, a socket or a device is rejected as a %s",
    async (kind) => {
      const pipe = join(root, "pipe");
      execFileSync("mkfifo", [pipe]);
      expect(() => checkOutput(pipe, kind)).toThrow("found a named pipe");
      const socket = join(root, "socket");
      const server = createServer();
      await new Promise<void>((done) => server.listen(socket, done));
      onTestFinished(() => void server.close());
      expect(() => checkOutput(socket, kind)).toThrow("found a socket");
      expect(() => checkOutput("/dev/null", kind)).toThrow("found a device");
    },
  );

  it("an output named with a single hyphen, as for stdout, is rejected", () => {
    expect(() => checkOutput("-", "file")).toThrow('"-" is not the name');
    checkOutput(join(root, "-"), "file");
  });
});

describe.skipIf(process.platform !== "linux")("a virtual file system", () => {
  it.each(["/proc/robot-eval", "/proc/a/b/c", "/proc", "/sys/x", "/proc/self/fd/x"])(
    "an output in the virtual file system %s is rejected at once",
    (path) => {
      expect(() => makeFolder(path === "/proc" ? "/proc/x" : path)).toThrow(/virtual file system/);
      expect(() => checkOutput(path, "parent")).toThrow(/virtual file system (proc|sysfs)/);
    },
  );
});

describe("makeFolder", () => {
  it("makeFolder is the only place in src that makes folders above a folder", () => {
    const sources = readdirSync("src", { recursive: true, encoding: "utf8" });
    const makers = sources.filter(
      (name) =>
        /(?<!\.test|\.fixture)\.ts$/.test(name) &&
        /mkdir(Sync)?\(.*recursive/.test(readFileSync(join("src", name), "utf8")),
    );
    expect(makers).toEqual([]);
  });

  it("makeFolder makes every missing folder with the given mode, through a link to a folder", () => {
    makeFolder(join(root, "link-to-folder", "a", "b"), 0o700);
    expect(statSync(join(root, "folder/a/b")).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, "folder/a")).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(root, "link-to-folder")).isSymbolicLink()).toBe(true);
    makeFolder(join(root, "folder/a/b"));
  });

  it("makeFolder refuses a path below a file, and leaves the file", () => {
    expect(() => makeFolder(join(root, "file", "a"))).toThrow(
      expect.objectContaining({ code: "cannot_write", where: join(root, "file") }),
    );
    expect(existsSync(join(root, "file"))).toBe(true);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "makeFolder refuses a folder in which the user may not write",
    () => {
      chmodSync(join(root, "folder"), 0o500);
      expect(() => makeFolder(join(root, "folder/a"))).toThrow("no files can be created in");
    },
  );
});

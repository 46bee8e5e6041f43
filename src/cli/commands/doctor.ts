import { access, constants } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { loadConfig } from "../../config/load.js";
import { errorMessage } from "../../core/errors.js";
import { UnifiedRobotEvaluator } from "../../evaluator/evaluator.js";
import { PACKAGE_VERSION } from "../../runs/directory/versions.js";
import { CliCommand } from "../cli-command.js";
import { paint, printResult, table } from "../output.js";

interface Check {
  readonly name: string;
  readonly status: "ok" | "failed";
  readonly found: string;
}

export function doctorCommand(): CliCommand {
  return new CliCommand("doctor")
    .option("--json", "print one JSON document")
    .remarks("\nExample:\n  robot-eval doctor")
    .action(async (flags: { readonly json?: boolean }) => {
      const checks = [nodeVersion(), machine(), await writable(), await selfTest()];
      const healthy = checks.every((check) => check.status !== "failed");
      const document = { healthy, version: PACKAGE_VERSION, checks };
      printResult(flags.json, document, () => report(checks));
      process.exitCode = healthy ? 0 : 1;
    });
}

function nodeVersion(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const good = major > 20 || (major === 20 && minor >= 19);
  const found = `${process.versions.node}${good ? "" : ", needs 20.19 or newer"}`;
  return { name: "Node.js", status: good ? "ok" : "failed", found };
}

function machine(): Check {
  const memory = (totalmem() / 2 ** 30).toFixed(1);
  return {
    name: "machine",
    status: "ok",
    found: `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${memory} GiB`,
  };
}

async function writable(): Promise<Check> {
  const name = "working directory";
  try {
    await access(process.cwd(), constants.W_OK);
    return { name, status: "ok", found: "writable" };
  } catch (error) {
    return { name, status: "failed", found: `${errorMessage(error)}; pass --out <folder>` };
  }
}

/** Runs the first episodes of a shipped benchmark from file to scores; all must be solved. */
async function selfTest(): Promise<Check> {
  const name = "self-test";
  try {
    const options = { agent: "shortest-path", limit: 3, outDir: null };
    const results = await new UnifiedRobotEvaluator(loadConfig("vln_challenge"), options).run();
    const { success, total } = results.episodes;
    const found = `shortest-path solved ${success} of ${total} episodes of ${results.benchmark}`;
    return { name, status: success === total ? "ok" : "failed", found };
  } catch (error) {
    return { name, status: "failed", found: errorMessage(error) };
  }
}

function report(checks: readonly Check[]): string {
  const colour = { ok: "green", failed: "red" } as const;
  return table(
    ["check", "status", "found"],
    checks.map(({ name, status, found }) => [name, paint(colour[status], status), found]),
  );
}

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { installIfMissing } from "../../../test/support/debian.js";
import { hostileTable } from "./hostile-table.fixture.js";
import { tableText } from "./write.js";

installIfMissing("texlive-latex-base", "command -v pdflatex >/dev/null");
const isHere = spawnSync("pdflatex", ["--version"]).status === 0;
if (!isHere) process.stderr.write("SKIPPED: no pdflatex to compile the LaTeX table with\n");

describe("the LaTeX table", () => {
  it.skipIf(!isHere)("the LaTeX table compiles with pdflatex whatever the names contain", () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "paper.tex"),
      `\\documentclass{article}\\begin{document}\\listoftables\n${tableText(hostileTable, "latex")}\\end{document}\n`,
    );
    for (const _ of ["once", "with the list of tables"]) {
      const { status, stdout } = spawnSync(
        "pdflatex",
        ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"],
        { cwd: folder, encoding: "utf8" },
      );
      expect(stdout).not.toMatch(/^!/m);
      expect(status).toBe(0);
    }
  });
});

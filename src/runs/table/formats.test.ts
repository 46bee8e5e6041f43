import { describe, expect, it } from "vitest";
import { hostileTable, table } from "./hostile-table.fixture.js";
import { tex } from "./tex.js";
import { tableText } from "./write.js";

describe("the Markdown table", () => {
  const [header = "", rule = "", ...rows] = tableText(hostileTable, "markdown").split("\n");

  it("the Markdown table keeps its columns whatever the names contain", () => {
    const cells = (line: string) => line.split("|").length;
    expect(cells(header)).toBe(7);
    expect([rule, rows[0] ?? "", rows[1] ?? ""].map(cells)).toEqual([7, 7, 7]);
    expect(rows[2]).toBe("");
  });

  it("the Markdown table shows mean, interval, n, bold and footnotes", () => {
    expect(rows[0]).toContain("**0.900** [0.769, 0.960]");
    expect(rows[0]).toContain("| 40 (0) |");
    expect(rows[1]).toContain("plain_policy<sup>a</sup>");
  });

  it("the Markdown table contains no HTML of the runs", () => {
    expect(rows.join("\n")).not.toContain("<b>");
  });
});

describe("the HTML table", () => {
  const text = tableText(hostileTable, "html");

  it("the HTML table escapes the names, and is plain ASCII", () => {
    expect(text).not.toContain("<b>&amp;</b>");
    expect(text).toContain("&lt;b&gt;");
    expect(text).toContain("&#20013;&#25991; &#129302;");
    expect(text).toMatch(/^[ -~\n]*$/);
  });

  it("the HTML table shows mean, interval, n, bold and footnotes", () => {
    expect(text).toContain("<td><b>0.900</b> [0.769, 0.960]</td>");
    expect(text).toContain("<td>40 (0)</td>");
    expect(text).toContain("<sup>a</sup>");
  });
});

describe("the CSV table", () => {
  it("the CSV table has unrounded numbers in one row for each policy", () => {
    const lines = tableText(table, "csv").split("\r\n");
    expect(lines[0]).toMatch(/^policy,run_id,vln success mean,vln success low,.*,notes$/);
    expect(lines[2]).toMatch(
      /^\[2em\] plain_policy,a-run,0\.1,0\.0395\d*,0\.230\d*,40,0,.*,0,r2r,Differs from the first row in seed\.$/,
    );
    expect(lines).toHaveLength(4);
  });

  it("the CSV table marks texts that a spreadsheet would compute as text", () => {
    const text = tableText(hostileTable, "csv");
    expect(text).toContain("\"'=cmd|");
    expect(text).not.toMatch(/(^|,)"?[=+@]/m);
    for (const name of ["+1", "-1", "@x", " =1", "\t=1", "＝1"]) {
      const [row] = table.rows;
      const named = row ? { ...table, rows: [{ ...row, policy: name }] } : table;
      expect(tableText(named, "csv").split("\r\n")[1], name).toMatch(/^'/);
    }
  });
});

describe("the LaTeX table", () => {
  it("the LaTeX table escapes the special characters of LaTeX", () => {
    expect(tex("\\input{x} 50% & $a_1^2$ #~<>|")).toBe(
      "\\textbackslash{}input\\{x\\} 50\\% \\& \\$a\\_1\\textasciicircum{}2\\$ \\#\\textasciitilde{}\\textless{}\\textgreater{}\\textbar{}",
    );
    expect(tex("[a]* --b")).toBe("{[}a{]}{*} -{}-{}b");
    expect(tex("π0 é 中")).toBe("\\ensuremath{\\pi}0 \\'{e} \\unicodetext{中}{U+4E2D}");
  });

  it("the LaTeX table breaks long names of policies in a column of fixed width", () => {
    const [row] = table.rows;
    if (!row) throw new Error("the table has no row");
    const named = (policy: string) => tableText({ ...table, rows: [{ ...row, policy }] }, "latex");
    expect(named("short")).toContain("\\begin{tabular}{lc");
    const long = named("vln=shortest-path,objectnav=ws://localhost:8000");
    expect(long).toContain("\\begin{tabular}{p{0.3\\linewidth}c");
    expect(long).toContain(
      "\\raggedright vln=\\allowbreak{}shortest-{}path,\\allowbreak{}objectnav=",
    );
  });

  it("the LaTeX table shows mean, interval, n, bold and footnotes", () => {
    const text = tableText({ ...table, rows: table.rows.slice(1) }, "latex");
    const whole = tableText(table, "latex");
    expect(whole).toContain("\\textbf{0.900} {\\scriptsize {[}0.769, 0.960{]}}");
    expect(text).toContain("& 40 (0) \\\\");
    expect(text).toContain("plain\\_policy\\textsuperscript{a}");
  });
});

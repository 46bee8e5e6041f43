import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { MetricRegistry } from "../../src/core/metric/registry.js";
import { registerMetrics } from "../../src/registry/metrics.js";
import { inChinese, SENTENCES_ZH } from "../../web/src/i18n/sentences/chinese.js";
import { ROOT } from "../support/manipulation.js";

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Where sentences are made that a page shows, and which of a file's texts they are. */
const SOURCES: readonly (readonly [
  folder: string,
  files: RegExp,
  isSaid: (node: Node) => boolean,
])[] = [
  ["src/tasks", /^explain-navigation/, everything],
  ["src/tasks/manipulation", /^(explain|joint-limit)\./, everything],
  ["src/evaluator/execute", /^episode-(loop|line)\./, isProperty("explanation")],
  ["src/dataset", /^scored-instructions\./, everything],
  ["src/evaluator/plan", /^prepare\./, isCallOf("push")],
  ["src/evaluator/execute", /^run-episodes\./, isCallOf("push")],
  ["src/dataset/results", /^(judge|vla-eval)\./, isProperty("explanation", "message")],
  [
    "src/runs/directory",
    /^(run-directory|document-checks|trajectory|geometry|episode-log)\./,
    isError,
  ],
  ["src/runs", /^episode-map\./, isError],
  ["src/runs/report", /^summary-of\./, isError],
  ["src/runs/compare", /^notes\./, everything],
  ["src/server", /^(app|page-files)\./, isError],
  ["src/server/view", /./, isError],
  ["src/server/view", /^problem\./, isProperty("message")],
  ["src/server/view", /^view-permissions\./, isVariable("PLUGINS_HINT")],
  ["src/server/view/geometry", /./, isError],
  ["src/server/view/geometry", /./, isProperty("note")],
  ["src/server/view/why", /./, everything],
  ["web/src", /^api\./, isProperty("message", "hint")],
];

describe("the Chinese sentence table", () => {
  const known = Object.keys(SENTENCES_ZH).join("\n");

  it.each(SOURCES)(
    "the Chinese sentence table covers every sentence of %s %s",
    (folder, files, isSaid) => {
      const names = readdirSync(join(ROOT, folder)).filter(
        (name) => files.test(name) && /\.ts$/.test(name) && !/\.(test|fixture)\.ts$/.test(name),
      );
      const said = names.flatMap((name) => textsIn(join(ROOT, folder, name), isSaid));
      expect(said).not.toEqual([]);
      expect(said.filter((text) => !known.includes(text))).toEqual([]);
    },
  );

  it("the Chinese sentence table covers the summary of every metric", () => {
    const metrics = new MetricRegistry();
    registerMetrics(metrics);
    const summaries = metrics.list().map((name) => metrics.get(name, {}).info.summary);
    expect(summaries.filter((summary) => inChinese(summary) === summary)).toEqual([]);
  });

  it("the Chinese sentence table uses the same placeholders as the English sentences", () => {
    const slots = (text: string) =>
      [...text.matchAll(/\{[~?]?(\w+)\}/g)].map(([, name]) => name).sort();
    for (const [template, translation] of Object.entries(SENTENCES_ZH)) {
      expect(slots(translation), template).toEqual(slots(template));
    }
  });
});

describe("the Chinese translation", () => {
  it.each([
    [
      "never stopped: the step limit came after 40 steps, 7.31 m from the goal (needs less than 3 m); stuck in a collision loop, it got nowhere in the last 12 steps; it had passed the goal at 2.10 m in step 9 without stopping",
      "始终没有停下：40 步后因 步数上限 结束，距目标 7.31 m（要求小于 3 m）；陷入碰撞循环，最后 12 步毫无进展；第 9 步曾从距目标 2.10 m 处经过，但没有停下",
    ],
    [
      "drawer 40 % open (needs 75 %); joint limit: lift at 1.10 m for the last 30 steps (max_steps after 200 steps)",
      "drawer 打开了 40%（需要 75%）；关节限位：最后 30 步 lift 停在 1.10 m（200 步后结束：max_steps）",
    ],
    [
      "placed cube_red 0.12 m off (tolerance 0.05); it was in place until step 80 and moved away (max_steps after 200 steps)",
      "放下 cube_red，偏离 0.12 m（容差 0.05）；到第 80 步为止处于目标位置，随后移开（200 步后结束：max_steps）",
    ],
    ["failed after 40 steps (max_steps)", "失败，共 40 步（max_steps）"],
    [
      "1 of 3 parts hold at step 3; not: lifted 0.02 (needs 0.1), at_rest 0.2 (needs 0.01) → 0",
      "第 3 步时 3 项中有 1 项成立；不成立：lifted 0.02（需要 0.1），at_rest 0.2（需要 0.01） → 0",
    ],
    ["stop was called, 0.5 < 3 → 1", "已调用 stop，0.5 < 3 → 1"],
    ["not counted (agent fault): the socket closed", "不计入（智能体故障）：the socket closed"],
    [
      "vln: profile r2r scores the first 3 instructions of a path, as the official R2R evaluator does; 2 episodes are not scored: 7_3, 8_3",
      "vln：评测规范 r2r 与官方 R2R 评测一致，每条路径只评前 3 条指令；有 2 个回合未评分：7_3, 8_3",
    ],
    [
      "B is partial: 100 of 1021 episodes were scored, and the others have no prediction",
      "B 不完整：1021 个回合中只评了 100 个，其余没有预测",
    ],
    ["B was cancelled: 3 of its 12 episodes are there", "B 已取消：其 12 个回合中有 3 个"],
  ])("the Chinese translation translates %s", (english, chinese) => {
    expect(inChinese(english)).toBe(chinese);
  });

  it.each([
    "SPL = S × l / max(l, p)",
    "1 × 8.2 / max(8.2, 11.4) = 0.72",
    "a plugin's own words",
    "",
  ])(
    "the Chinese translation leaves formulas, plugin texts and empty texts unchanged: %s",
    (text) => {
      expect(inChinese(text)).toBe(text);
    },
  );
});

function everything(): boolean {
  return true;
}

function isError(node: Node): boolean {
  return (
    node.type === "NewExpression" && /^(Data|Config|RobotEval)Error$/.test(nameOf(node.callee))
  );
}

function isProperty(...names: readonly string[]): (node: Node) => boolean {
  return (node) => node.type === "Property" && names.includes(nameOf(node.key));
}

function isVariable(name: string): (node: Node) => boolean {
  return (node) => node.type === "VariableDeclarator" && nameOf(node.id) === name;
}

function isCallOf(name: string): (node: Node) => boolean {
  return (node) =>
    node.type === "CallExpression" && isNode(node.callee) && nameOf(node.callee.property) === name;
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === "string" ? node.name : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The texts of a file that are words, without the punctuation at their ends. */
function textsIn(file: string, isSaid: (node: Node) => boolean): string[] {
  const { program } = parseSync(file, readFileSync(file, "utf8"));
  const found: string[] = [];
  const walk = (value: unknown, within: boolean): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, within);
    if (!isNode(value) || value.type === "ImportDeclaration") return;
    const inside = within || isSaid(value);
    const text = inside ? textOf(value) : undefined;
    if (text !== undefined && /[a-z]{2,}\W+[a-z]{2,}/i.test(text)) {
      found.push(text.replace(/^[\s;:,()."]+|[\s;:,("]+$/g, ""));
    }
    for (const part of Object.values(value)) if (typeof part === "object") walk(part, inside);
  };
  walk(program, false);
  return found;
}

function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateElement") return undefined;
  return (node.value as { readonly cooked: string }).cooked;
}

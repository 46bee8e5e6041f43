import type { en } from "./en.js";

export const zh: Readonly<Record<keyof typeof en, string>> = {
  "app.skip": "跳到正文",
  "app.loading": "加载中…",
  "app.breadcrumbs": "当前位置",
  "app.dark": "深色",
  "app.unknown": "没有这个页面。",
  "problem.title": "无法显示",
  "problem.missing": "未找到",
  "problem.where": "位置",
  "problem.code": "代码",
  "problem.back": "返回全部运行",
  "runs.title": "运行",
  "run.title": "运行",
  "compare.title": "对比",
};

import type { Sentences } from "./template.js";

/** Explanations of episodes, from src/tasks and other sources. */
export const EPISODES_ZH: Sentences = {
  "{~first}; {~rest}": "{first}；{rest}",
  "{~cause} ({reason} after {n} steps)": "{cause}（{n} 步后结束：{reason}）",

  "succeeded after {n} steps ({reason})": "成功，共 {n} 步（{reason}）",
  "failed after {n} steps ({reason})": "失败，共 {n} 步（{reason}）",
  succeeded: "成功",
  failed: "失败",
  "succeeded after {n} steps": "成功，共 {n} 步",
  "failed after {n} steps": "失败，共 {n} 步",
  "succeeded after {n} steps, {d} m from the goal": "成功，共 {n} 步，距目标 {d} m",
  "failed after {n} steps, {d} m from the goal": "失败，共 {n} 步，距目标 {d} m",
  "succeeded, {d} m from the goal": "成功，距目标 {d} m",
  "failed, {d} m from the goal": "失败，距目标 {d} m",

  "stopped {d} m from the goal (needs less than {r} m) after {n} steps":
    "{n} 步后在距目标 {d} m 处停下（要求小于 {r} m）",
  "arrived {d} m from the goal (needs less than {r} m) after {n} steps":
    "{n} 步后到达距目标 {d} m 处（要求小于 {r} m）",
  "ended where no way leads to the goal, after {n} steps ({reason})":
    "{n} 步后结束，从该处无法到达目标（{reason}）",
  "stopped {d} m from the goal": "在距目标 {d} m 处停下",
  "stopped {d} m from the goal, {s} m short (needs less than {r} m)":
    "在距目标 {d} m 处停下，还差 {s} m（要求小于 {r} m）",
  "it had passed the goal at {d} m in step {n} without stopping":
    "第 {n} 步曾从距目标 {d} m 处经过，但没有停下",
  "the step limit": "步数上限",
  "reached the goal and never stopped: {?limit} came after {n} steps, {d} m from the goal":
    "到达目标但始终没有停下：{n} 步后因 {limit} 结束，距目标 {d} m",
  "never stopped: {?limit} came after {n} steps, {d} m from the goal (needs less than {r} m)":
    "始终没有停下：{n} 步后因 {limit} 结束，距目标 {d} m（要求小于 {r} m）",
  "never arrived: {?limit} came after {n} steps, {d} m from the goal (needs less than {r} m)":
    "始终没有到达：{n} 步后因 {limit} 结束，距目标 {d} m（要求小于 {r} m）",
  "stuck in a collision loop, it got nowhere in the last {n} steps":
    "陷入碰撞循环，最后 {n} 步毫无进展",
  "blocked in {n} of them": "其中 {n} 步受阻",

  "never reached {target}": "始终没有够到 {target}",
  "never reached {target}: came within {d} m": "始终没有够到 {target}：最近相距 {d} m",
  "reached {target} in step {n} but never grasped it": "第 {n} 步够到 {target}，但始终没有抓住",
  "reached {target} in step {n} but never grasped it: both fingers pressed with {f} N at most, needs {g}":
    "第 {n} 步够到 {target}，但始终没有抓住：双指压力最大 {f} N，需要 {g}",
  "grasped {target} in step {n} but lifted it only {d} m (needs {r})":
    "第 {n} 步抓住 {target}，但只抬起 {d} m（需要 {r}）",
  "{target} {p} % open but still moving ({~condition})":
    "{target} 打开了 {p}%，但仍在移动（{condition}）",
  "{target} {p} % open, but not for long enough": "{target} 打开了 {p}%，但持续时间不够",
  "{target} {p} % open (needs {q} %)": "{target} 打开了 {p}%（需要 {q}%）",
  "it was open far enough until step {n} and went back": "到第 {n} 步为止开度足够，随后退回",
  "could not move {target}: {p} % open (needs {q} %)":
    "没能移动 {target}：打开了 {p}%（需要 {q}%）",
  "never grasped {target}: {p} % open (needs {q} %)":
    "始终没有抓住 {target}：打开了 {p}%（需要 {q}%）",
  "reached {target} in step {n} but could not move it: {p} % open (needs {q} %)":
    "第 {n} 步够到 {target}，但没能移动它：打开了 {p}%（需要 {q}%）",
  "reached {target} in step {n} but never grasped it: {p} % open (needs {q} %)":
    "第 {n} 步够到 {target}，但始终没有抓住：打开了 {p}%（需要 {q}%）",
  "{target} was in place, but not for long enough": "{target} 曾到位，但持续时间不够",
  "still held {target} at the end": "结束时仍握着 {target}",
  "still held {target} at the end, {~off}": "结束时仍握着 {target}，{off}",
  "dropped {target} in step {n} (lifted {d} m)": "第 {n} 步掉落 {target}（当时抬起 {d} m）",
  "placed {target} {~off}": "放下 {target}，{off}",
  "it was in place until step {n} and moved away": "到第 {n} 步为止处于目标位置，随后移开",
  "{d} m off (tolerance {r})": "偏离 {d} m（容差 {r}）",
  "{d} m too high or too low (tolerance {r})": "高度偏差 {d} m（容差 {r}）",
  "{target} is in place but was not let go of": "{target} 已到位，但没有松开",
  "{target} is in place, but {~condition}": "{target} 已到位，但 {condition}",
  "{condition} was {v}, needs {t}": "{condition} 为 {v}，需要 {t}",
  "it held until step {n}": "到第 {n} 步为止成立",
  "all conditions hold, but not for long enough": "所有条件均成立，但持续时间不够",
  "the simulation diverged": "仿真发散",
  "found the {target} in step {n}, picked it in step {m} and placed it on the {goal} in step {k}":
    "第 {n} 步找到 {target}，第 {m} 步拿起，第 {k} 步放到 {goal} 上",
  "never found the {target}": "始终没有找到 {target}",
  "never came closer than {d} m to the {target} and never saw it":
    "与 {target} 最近相距 {d} m，且始终没有看到",
  "came within {d} m of the {target} and saw at most {p} % of it, never near and in view at once":
    "与 {target} 最近相距 {d} m，最多看到其 {p}%，但从未同时靠近并看到它",
  "found the {target} in step {n} but never held it clear of its support":
    "第 {n} 步找到 {target}，但始终没有把它拿离支撑面",
  "found the {target} in step {n} and lifted it in step {m}, but lost it at once":
    "第 {n} 步找到 {target}，第 {m} 步拿起，但随即掉落",
  "picked the {target} in step {n}, {~rest}": "第 {n} 步拿起 {target}，{rest}",
  "dropped it {d} m before the {goal} (step {n})": "在距 {goal} {d} m 处掉落（第 {n} 步）",
  "put it down {d} m before the {goal} (step {n})": "在距 {goal} {d} m 处放下（第 {n} 步）",
  "placed it on the {goal} in step {n}, but it did not stay":
    "第 {n} 步放到 {goal} 上，但没有停留住",
  "still held it {d} m from the {goal} at the end": "结束时仍握着，距 {goal} {d} m",
  "it was on the {goal}, but not for long enough": "曾在 {goal} 上，但持续时间不够",
  "brought it to the {goal}, but it does not stand on it": "带到 {goal} 处，但没有放到上面",
  "brought it to the {goal}, but did not let go of it": "带到 {goal} 处，但没有松开",
  "placed it on the {goal}, but had collided with {f} N (allowed less than {g})":
    "放到 {goal} 上，但发生过 {f} N 的碰撞（允许小于 {g}）",
  "placed it on the {goal}, but {condition} was {v}, needs {t}":
    "放到 {goal} 上，但 {condition} 为 {v}，需要 {t}",
  "joint limit: {joint} at {v} {unit} for the last {n} steps":
    "关节限位：最后 {n} 步 {joint} 停在 {v} {unit}",

  "the agent failed after {n} steps: {?why}": "智能体在 {n} 步后出错：{why}",
  "the agent broke off after {n} steps: {?why}": "智能体在 {n} 步后中断：{why}",
  "not counted (platform fault): {?why}": "不计入（平台故障）：{why}",
  "not counted ({?fault} fault): {?why}": "不计入（{fault}故障）：{why}",
  platform: "平台",
  agent: "智能体",
  data: "数据",
  "the file does not report whether the episode succeeded": "文件没有说明是否成功",
  "ended without a step: the policy never returned a first action":
    "没有执行一步就结束：策略始终没有给出第一个动作",
};

import type { Sentences } from "./template.js";

/** Formulas with their values (src/server/view/why), and summaries of metrics (src/metrics). */
export const SCORES_ZH: Sentences = {
  "{~words} = {v}": "{words} = {v}",
  "{~words} → {v}": "{words} → {v}",
  "{~part}, {~rest}": "{part}，{rest}",

  "success = stop ∧ d < r": "成功 = stop ∧ d < r",
  "success = d < r": "成功 = d < r",
  "stop was called, {near}": "已调用 stop，{near}",
  "stop was not called, {near}": "未调用 stop，{near}",
  "oracle success = min d < r": "途中成功 = min d < r",
  "d at the last step": "最后一步的 d",
  "step {n} of {m}: d": "第 {n} 步（共 {m} 步）：d",
  "min over all steps of d": "所有步中 d 的最小值",
  "sum of the distances between consecutive positions": "相邻位置间距离之和",
  "over {n} positions": "共 {n} 个位置",
  "soft SPL = max(0, 1 − d / l) × l / max(l, p)": "soft SPL = max(0, 1 − d / l) × l / max(l, p)",
  "actions, stop among them": "动作数（含 stop）",
  "actions without stop": "动作数（不含 stop）",
  "steps in which the robot was blocked": "机器人受阻的步数",
  "{n} of {m} steps": "{m} 步中的 {n} 步",
  "DTW = least sum of distances between aligned points of P and R":
    "DTW = P 与 R 对齐点之间距离之和的最小值",
  "{n} points of P, {m} of R": "P 有 {n} 个点，R 有 {m} 个点",
  "nDTW = exp(−DTW / (|R| × r))": "nDTW = exp(−DTW / (|R| × r))",
  "sDTW = S × nDTW = S × exp(−DTW / (|R| × r))": "sDTW = S × nDTW = S × exp(−DTW / (|R| × r))",
  "CLS = PC × EL / (EL + |EL − p|), EL = PC × length of R":
    "CLS = PC × EL / (EL + |EL − p|)，EL = PC × R 的长度",
  "the success condition holds at the last step": "成功条件在最后一步成立",
  "step {n}": "第 {n} 步",
  "{k} of {m} parts hold at step {n}": "第 {n} 步时 {m} 项中有 {k} 项成立",
  "{k} of {m} parts hold at step {n}; not: {~parts}":
    "第 {n} 步时 {m} 项中有 {k} 项成立；不成立：{parts}",
  "{condition} {v} (needs {t})": "{condition} {v}（需要 {t}）",
  "the success condition holds at some step": "成功条件在某一步成立",
  "first at step {n}": "首次在第 {n} 步",
  "at none of {n} records": "{n} 条记录中均不成立",
  "simulated time at the first success": "首次成功时的仿真时间",
  "completion = leading stages reached / stages": "完成度 = 依次达到的阶段数 / 阶段数",
  "all are reached: {a} / {b}": "全部达到：{a} / {b}",
  "{stage} is not reached: {a} / {b}": "未达到 {stage}：{a} / {b}",
  "similarity = exp(−DTW / (|R| × scale))": "相似度 = exp(−DTW / (|R| × 尺度))",
  "worst distance between aligned points of P and R, under the best alignment":
    "最佳对齐下 P 与 R 对齐点之间的最大距离",
  "RMSE = √(sum of squared deviations / (|R| × joints))": "RMSE = √(偏差平方和 / (|R| × 关节数))",

  step: "步",
  actions: "动作数",
  stops: "stop 数",
  blocked: "受阻步数",
  distance: "距离",
  scale: "尺度",
  "sum of squares": "平方和",
  joints: "关节数",
  reached: "已达到",
  stages: "阶段数",

  "Closeness of the end-effector path to the reference demonstration (nDTW).":
    "末端执行器路径与参考示范的接近程度（nDTW）。",
  "Root mean square deviation of the joints from the reference demonstration.":
    "关节相对参考示范的均方根偏差。",
  "Worst deviation of the end-effector path from the reference (discrete Fréchet).":
    "末端执行器路径与参考的最大偏差（离散 Fréchet 距离）。",
  "Simulated time until the success condition first held.": "成功条件首次成立前的仿真时间。",
  "Share of the task's stages that were reached.": "任务各阶段中已达到的比例。",
  "The stage find_object was reached.": "已达到 find_object 阶段（找到物体）。",
  "The stage pick was reached.": "已达到 pick 阶段（拿起物体）。",
  "The stage find_receptacle was reached.": "已达到 find_receptacle 阶段（找到目标家具）。",
  "The stage place was reached.": "已达到 place 阶段（放下物体）。",
  "Success weighted by shortest over travelled way of the base, by the object to its goal.":
    "成功值乘以底盘经物体到目标的最短路程与实际路程之比。",
  "Number of control steps in which the robot pressed on walls or furniture.":
    "机器人挤压墙壁或家具的控制步数。",
  "Number of control steps in which the robot pressed on walls or furniture with 20 N or more.":
    "机器人以 20 N 或更大的力挤压墙壁或家具的控制步数。",
  "The task's success condition held at some step.": "任务的成功条件在某一步成立。",
  "Smoothness of the end-effector path (log dimensionless jerk).":
    "末端执行器路径的平滑度（对数无量纲加加速度）。",
  "The task's success condition held at the end of the episode.":
    "任务的成功条件在回合结束时成立。",
  "Share of the task's stages that were reached, in order.": "依次达到的任务阶段所占的比例。",
  "Reduction of the distance to the goal region from start to end.":
    "从开始到结束，到目标区域的距离减少了多少。",
  "The episode ended within the success distance of the goal.":
    "回合结束时与目标的距离在成功距离之内。",
  "Coverage of the reference path, weighted by the match of the path lengths.":
    "对参考路径的覆盖程度，按路径长度的吻合度加权。",
  "Length of the travelled path.": "走过的路径长度。",
  "Least distance to the goal over the whole episode.": "整个回合中到目标的最小距离。",
  "Distance to the goal where the episode ended.": "回合结束处到目标的距离。",
  "Distance to the goal where the episode ended (Habitat's name).":
    "回合结束处到目标的距离（Habitat 的名称）。",
  "The robot was within the success distance of the goal at some step.":
    "机器人在某一步处于目标的成功距离之内。",
  "Closeness of the travelled path to the reference path, normalised.":
    "走过的路径与参考路径的接近程度（归一化）。",
  "Success weighted by the closeness of the path to the reference path.":
    "按路径与参考路径的接近程度加权的成功。",
  "Number of steps in which the robot was blocked.": "机器人受阻的步数。",
  "Number of actions the agent took.": "智能体执行的动作数。",
  "Total deviation from the reference path under the best alignment.":
    "最佳对齐下与参考路径的总偏差。",
  "Success weighted by shortest over travelled path length.":
    "按最短路径与实际路径长度之比加权的成功。",
  "Progress towards the goal weighted by shortest over travelled path length.":
    "按最短路径与实际路径长度之比加权的目标进展。",
};

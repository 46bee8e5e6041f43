import type { Sentences } from "./template.js";

/** Errors of documents, and notes on results. */
export const PROBLEMS_ZH: Sentences = {
  "{?message}\n  hint: {?hint}": "{message}\n提示：{hint}",
  "{place}: {~message}": "{place}：{message}",

  "The server does not respond.": "服务器没有响应。",
  "Check that `robot-eval view` is still running, and reload the page.":
    "请确认 `robot-eval view` 仍在运行，然后重新加载页面。",
  "This document does not exist.": "该文档不存在。",
  "The response is not a robot-eval document (status {n}).":
    "返回的不是 robot-eval 的文档（状态 {n}）。",
  "A static export contains only what existed when it was created.":
    "静态导出只包含导出时已有的内容。",
  "internal error; the server's log has the details": "服务器内部错误，详情见服务器日志",
  "this server requires a token": "此服务器需要令牌",
  "open the address that `robot-eval view` printed, or send Authorization: Bearer <token>":
    "请打开 `robot-eval view` 打印的地址，或发送 Authorization: Bearer <token>",
  "the address is not properly encoded": "地址编码不正确",
  "this address does not exist": "此地址不存在",
  "there is no run of this name in the folder": "文件夹中没有这个名称的运行",
  "it may have been renamed or deleted since the page was opened":
    "打开页面之后它可能被改名或删除了",
  "the run has no episode of this name": "该运行没有这个名称的回合",
  "it may have been set aside for a retry, or never have been run":
    "它可能已被移出以便重试，或从未运行过",
  "there is no such video": "没有这个视频",
  "this episode has no such image": "这个回合没有这种图像",
  "its steps were not recorded (output.save_trajectories), or its task has no such image":
    "没有记录它的各步（output.save_trajectories），或其任务没有这种图像",
  "the server is closing": "服务器正在关闭",
  "the file is missing or cannot be read": "文件缺失或无法读取",
  "the file is not in the folder that is shown": "文件不在所显示的文件夹中",
  "links that lead out of the folder are not followed": "不会跟随指向文件夹之外的链接",
  "the run is not finished, and computing its summary requires its plugins: {?plugins}":
    "该运行尚未结束，汇总它需要其插件：{plugins}",
  "the run names plugins, which are code, so they were not loaded: start robot-eval view with --plugins for runs of your own, or with --plugin <module> for code that you trust":
    "该运行使用插件，插件是代码，因此没有加载：自己的运行请用 --plugins 启动 robot-eval view，信任的代码请用 --plugin <module>",
  "{task} is left out: {~reason}": "{task} 未参与：{reason}",
  "the page has not been built": "页面尚未构建",
  "in a checkout: npm run build": "在代码仓库中运行：npm run build",

  "the folder of runs does not exist": "运行文件夹不存在",
  "name the folder that runs are written to (output.log_dir, or --out of `run`), or one run":
    "请指明写入运行的文件夹（output.log_dir，或 `run` 的 --out），或某个运行",
  "no such run directory": "没有这个运行目录",
  "this folder contains run directories but is not one itself":
    "这个文件夹包含运行目录，但它本身不是运行目录",
  "give the run: {path}": "请指明运行：{path}",
  "give one of its {n} runs, such as {path}": "请指明其中 {n} 个运行之一，例如 {path}",
  "{file} is missing or cannot be read": "{file} 缺失或无法读取",
  "check that this is a run directory": "请确认这是运行目录",
  "it is written at the end of a run; continue an interrupted one with `robot-eval resume`":
    "它在运行结束时写入；中断的运行可用 `robot-eval resume` 继续",
  "not valid JSON: {?detail}": "不是有效的 JSON：{detail}",
  "not the result of an episode: {?detail}": "不是回合结果：{detail}",
  "expected a JSON object, got {?value}": "应为 JSON 对象，实际为 {value}",
  "format is {?value}": "格式为 {value}",
  "this version reads {format}": "此版本读取 {format}",
  "the first line is not a {format} header": "第一行不是 {format} 文件头",
  "a later version of robot-eval may have written it: update to read it":
    "它可能由更新版本的 robot-eval 写入：请升级后再读取",
  "the trajectory is missing or cannot be read": "轨迹缺失或无法读取",
  "the gzip file is damaged or cut off: {?detail}": "gzip 文件损坏或被截断：{detail}",
  "this line is not step {n}": "这一行不是第 {n} 步",
  "the trajectory does not begin with a reset": "轨迹没有从重置开始",
  "the run has no summary yet, and its metrics cannot be looked up: {?detail}":
    "该运行还没有汇总，且无法查到其指标：{detail}",
  "let the run finish, or bring back its plugins": "请等运行结束，或恢复其插件",
  "the run has no episode {name}": "该运行没有回合 {name}",
  "several have that id: {?keys}": "有多个回合使用该编号：{keys}",
  "episode {key} has no saved trajectory": "回合 {key} 没有保存轨迹",
  "run the benchmark again with `output.save_trajectories: true`":
    "请用 `output.save_trajectories: true` 重新运行基准",
  "the steps of episode {key} have no positions: there is no path to draw":
    "回合 {key} 的各步没有位置：没有可绘制的路径",
  "maps are for robots that move: navigation, and tasks of type rearrange":
    "地图用于会移动的机器人：导航任务和 rearrange 类型的任务",
  "episode {key} was recorded in another {scene} than the one found now":
    "回合 {key} 记录时的 {scene} 与现在找到的不同",
  "restore the scene file, or name the folder that has it with --scenes":
    "请恢复场景文件，或用 --scenes 指明其所在文件夹",
  "restore the scene's file, or use the version that generated it":
    "请恢复场景文件，或使用生成它的版本",
  "no simulator serves {task}": "这里没有支持 {task} 的仿真器",
  "the replay differs from the recording at step {n}: {field} was {?before} and is {?now}":
    "回放从第 {n} 步起与记录不同：{field} 原为 {before}，现为 {now}",
  "the run may have used another version or scene; `robot-eval replay` reports all differences":
    "该运行可能使用了其他版本或其他场景；`robot-eval replay` 会列出全部差异",
  "the run's benchmark has no task {task}": "运行的基准中没有任务 {task}",
  "the navigation graph of {scene} is not available": "这里没有 {scene} 的导航图",
  "the episode's trajectory was not saved, so its world is unknown":
    "该回合没有保存轨迹，因此无法得知其场景",
  "the simulator sent no geometry, so the world cannot be shown":
    "仿真器没有提供几何，无法显示场景",
  "MuJoCo cannot compile the model: {?detail}": "MuJoCo 无法编译该模型：{detail}",
  "MuJoCo cannot simulate the model: {?detail}": "MuJoCo 无法仿真该模型：{detail}",
  "the world's geometry cannot be read: {?detail}": "无法读取场景的几何：{detail}",
  "the states have no joint positions of this model, which has {n}":
    "状态中没有这个模型的关节位置，它有 {n} 个",
  "the simulator records them as `qpos` or in `sim_state`":
    "仿真器把它们记录为 `qpos`，或记录在 `sim_state` 中",
  "worlds of the {simulator} simulator have no geometry for the 3D view":
    "{simulator} 仿真器的场景没有可用于三维视图的几何",

  "A and B are the same run": "A 和 B 是同一次运行",
  "only {side} has {?metrics}": "只有 {side} 有 {metrics}",
  "{side} {~state}: {~had} there": "{side} {state}：{had}",
  "is not finished (it is still running, or was killed)": "尚未结束（仍在运行，或被中断）",
  "was cancelled": "已取消",
  "has status {status}": "状态为 {status}",
  "{n} of its {m} episodes are": "其 {m} 个回合中有 {n} 个",
  "{n} episodes are": "有 {n} 个回合",
  "{side} stopped {task} early, after {n} of {m} episodes, when its interval was narrow enough":
    "{side} 提前停止了 {task}：{m} 个回合运行 {n} 个后，其区间已足够窄",
  "{side} was stopped in {task} by a duel, after {n} of {m} episodes: the duel has the valid verdict, and p here assumes a fixed number of episodes":
    "对决停止了 {side} 的 {task}：{m} 个回合运行了 {n} 个。结论以对决为准，因为此处的 p 假定回合数固定",
  "{side} is partial: {n} of {m} episodes were scored, and the others have no prediction":
    "{side} 不完整：{m} 个回合中只评了 {n} 个，其余没有预测",
  "episodes were run up to {n} times: each counts once, as the mean over its judged repeats, so rates are compared by the paired t test and not by McNemar's":
    "每个回合最多运行 {n} 次：各按其有效重复的均值计一次，因此比率用配对 t 检验而非 McNemar 检验",
  "episodes were run up to {n} (A) and {m} (B) times: each counts once, as the mean over its judged repeats, so rates are compared by the paired t test and not by McNemar's":
    "每个回合最多运行 {n}（A）和 {m}（B）次：各按其有效重复的均值计一次，因此比率用配对 t 检验而非 McNemar 检验",
  "A was played on MuJoCo {a}, B on {b}: their contacts may differ, so a difference need not be the policy's":
    "A 在 MuJoCo {a} 上运行，B 在 {b} 上运行：两者的接触计算可能不同，差异未必来自策略",
  "{n} repeats of compared episodes are invalid in {side}":
    "{side} 在参与比较的回合中有 {n} 次重复无效",

  "no simulator serves {task}: the {n} episodes of {name} are invalid":
    "这里没有支持 {task} 的仿真器：{name} 的 {n} 个回合无效",
  "{task}: profile {profile} compares with the dense ground-truth path, which {n} of {m} episodes lack; their reference path is used":
    "{task}：评测规范 {profile} 与稠密真值路径比较，但 {m} 个回合中有 {n} 个没有该路径，改用其参考路径",
  "profile {profile} scores the first {n} instructions of a path, as the official R2R evaluator does; {~left} not scored: {?ids}":
    "评测规范 {profile} 与官方 R2R 评测一致，每条路径只评前 {n} 条指令；{left}未评分：{ids}",
  "{task}: profile {profile} scores the first {n} instructions of a path, as the official R2R evaluator does; {~left} not scored: {?ids}":
    "{task}：评测规范 {profile} 与官方 R2R 评测一致，每条路径只评前 {n} 条指令；{left}未评分：{ids}",
  "1 episode is": "1 个回合",
  "the run was given up: {?why}": "运行已放弃：{why}",
  "the first {n} episodes are all invalid, through no fault of the agent: {?causes}":
    "前 {n} 个回合全部无效，且不是智能体的过错：{causes}",
  "the agent gave no action in the last {n} episodes; last error: {?why}":
    "智能体在最近 {n} 个回合中没有给出任何动作；最后的错误：{why}",
};

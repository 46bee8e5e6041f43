import type { Command } from "commander";

export interface CommandEntry {
  /** One line for `robot-eval --help`, and the description in the command's own help. */
  readonly summary: string;
  /** Imports the command's module; only the called command is loaded. */
  readonly load: () => Promise<() => Command>;
}

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  run: {
    summary: "evaluate an agent on a benchmark",
    load: async () => (await import("./commands/run.js")).runCommand,
  },
  duel: {
    summary: "compare policies on the same episodes and stop as soon as one is better",
    load: async () => (await import("./commands/duel.js")).duelCommand,
  },
  resume: {
    summary: "continue a run that was interrupted, killed or left with invalid episodes",
    load: async () => (await import("./commands/resume.js")).resumeCommand,
  },
  worker: {
    summary: "run episodes of the runs in a cluster's queue, until Ctrl-C",
    load: async () => (await import("./commands/cluster/worker.js")).workerCommand,
  },
  status: {
    summary: "show the runs and workers of a cluster",
    load: async () => (await import("./commands/cluster/status.js")).statusCommand,
  },
  pull: {
    summary: "wait for a cluster's run and write its run directory",
    load: async () => (await import("./commands/cluster/pull.js")).pullCommand,
  },
  control: {
    summary: "pause, resume, cancel or delete a cluster's run, or change its priority",
    load: async () => (await import("./commands/cluster/control.js")).controlCommand,
  },
  score: {
    summary: "score a submission, score a recorded run again, or import results by episode",
    load: async () => (await import("./commands/score.js")).scoreCommand,
  },
  merge: {
    summary: "merge the runs of a benchmark's shards into one run",
    load: async () => (await import("./commands/merge.js")).mergeCommand,
  },
  compare: {
    summary: "compare runs episode by episode; the first is the baseline",
    load: async () => (await import("./commands/compare.js")).compareCommand,
  },
  table: {
    summary: "make a results table of several runs: LaTeX, Markdown, CSV or HTML",
    load: async () => (await import("./commands/table.js")).tableCommand,
  },
  stress: {
    summary: "perturb a benchmark's episodes step by step and find where an agent breaks",
    load: async () => (await import("./commands/stress.js")).stressCommand,
  },
  view: {
    summary: "show runs in the browser, live ones too: tables, 3D replays, comparisons",
    load: async () => (await import("./commands/view.js")).viewCommand,
  },
  serve: {
    summary: "host a challenge: teams' agents connect and are evaluated on hidden episodes",
    load: async () => (await import("./commands/challenge/serve.js")).serveCommand,
  },
  challenge: {
    summary: "administer a challenge: teams and their tokens, submissions, phases, audit log",
    load: async () => (await import("./commands/challenge/challenge.js")).challengeCommand,
  },
  replay: {
    summary: "simulate recorded episodes again from their actions and require the same bits",
    load: async () => (await import("./commands/replay.js")).replayCommand,
  },
  parity: {
    summary:
      "replay the original's rollouts of frozen worlds and require the same states and success",
    load: async () => (await import("./commands/parity.js")).parityCommand,
  },
  audit: {
    summary: "run a sample of a run's episodes again and compare with the recording",
    load: async () => (await import("./commands/audit.js")).auditCommand,
  },
  export: {
    summary: "export a run's results: tables, LeRobot, MCAP, submissions",
    load: async () => (await import("./commands/export.js")).exportCommand,
  },
  report: {
    summary: "write a run as one HTML page, as JUnit XML or as a GitHub summary",
    load: async () => (await import("./commands/report.js")).reportCommand,
  },
  bundle: {
    summary: "pack a run and everything needed to check it elsewhere into one file",
    load: async () => (await import("./commands/bundle.js")).bundleCommand,
  },
  verify: {
    summary: "check a bundle: its files, its numbers, and every step by replaying it",
    load: async () => (await import("./commands/verify.js")).verifyCommand,
  },
  map: {
    summary:
      "draw navigation and rearrangement episodes from above: scene, start, goal, path taken",
    load: async () => (await import("./commands/map.js")).mapCommand,
  },
  film: {
    summary: "make films of a run's episodes from their recorded actions",
    load: async () => (await import("./commands/film.js")).filmCommand,
  },
  probe: {
    summary: "connect to a policy, run one episode with it and report what is wrong",
    load: async () => (await import("./commands/probe.js")).probeCommand,
  },
  validate: {
    summary: "check a benchmark file and the data it names, without running anything",
    load: async () => (await import("./commands/validate.js")).validateCommand,
  },
  generate: {
    summary: "make navigation or manipulation episodes",
    load: async () => (await import("./commands/data/generate.js")).generateCommand,
  },
  collect: {
    summary: "record what an agent sees and does in a benchmark's episodes, as training data",
    load: async () => (await import("./commands/data/collect.js")).collectCommand,
  },
  convert: {
    summary: "write a dataset in another format and report what that format cannot hold",
    load: async () => (await import("./commands/data/convert.js")).convertCommand,
  },
  lint: {
    summary: "check a dataset for mistakes, episode by episode",
    load: async () => (await import("./commands/data/lint.js")).lintCommand,
  },
  scene: {
    summary: "show a scene (rooms, objects, navmesh, picture, map), or export it",
    load: async () => (await import("./commands/data/scene.js")).sceneCommand,
  },
  list: {
    summary: "list tasks, metrics, agents, formats and everything else that has a name",
    load: async () => (await import("./commands/list.js")).listCommand,
  },
  describe: {
    summary: "show everything about one task, metric, ... or about a run",
    load: async () => (await import("./commands/describe.js")).describeCommand,
  },
  init: {
    summary: "write a project to start from: benchmark, plugin and policy",
    load: async () => (await import("./commands/init.js")).initCommand,
  },
  python: {
    summary: "print the pip command that installs the Python client",
    load: async () => (await import("./commands/python.js")).pythonCommand,
  },
  completion: {
    summary: "print the script that completes commands in bash, zsh or fish",
    load: async () => (await import("./commands/completion.js")).completionCommand,
  },
  doctor: {
    summary: "check that this machine can run evaluations and report what it lacks",
    load: async () => (await import("./commands/doctor.js")).doctorCommand,
  },
};

import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import { type LoadedConfig, loadConfig, parseConfig } from "../../config/load.js";
import { ConfigError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { OTHER_SENSORS } from "../../core/task/sensors.js";
import { createRegistries } from "../../registry/registries.js";
import type { RunDirectory } from "../directory/run-directory.js";
import { FILES } from "../directory/run-files.js";
import { isOwnRun } from "../directory/run-key.js";
import { shellWord } from "../report/format.js";
import { recordedConfig, type Section, sectionOf } from "./recorded-config.js";
import { parseSimulator, simulatorText } from "./simulator-text.js";

/** Parts of a recorded configuration that can act: they start programs, connect, load code or read other files. */
export type ActingPart = "plugins" | "simulator" | "scenes" | "graphs" | "dataset" | "agent";

/** What the reader of a run allows by name. Each replaces the recorded value. */
export interface RunPermissions {
  /** The reader's own benchmark file: its simulator, plugins and folders are used. */
  readonly benchmark?: string | undefined;
  /** A simulator's command line, or its address. */
  readonly simulator?: string | undefined;
  readonly plugins?: readonly string[] | undefined;
  /** Folder of scene files. */
  readonly scenes?: string | undefined;
  /** Folder of navigation graphs. */
  readonly connectivity?: string | undefined;
  readonly agent?: string | undefined;
  /** Set for a run unpacked from a bundle, which always counts as foreign. */
  readonly bundle?: BundlePlaces | undefined;
}

interface BundlePlaces {
  /** Folder of the unpacked bundle. */
  readonly folder: string;
  /** Its folders of scenes and graphs, by task. */
  readonly places: Readonly<
    Record<
      string,
      { readonly scenes?: string | undefined; readonly connectivity?: string | undefined }
    >
  >;
}

/** Keys of `simulator:` that start a program, open a connection or write files. */
const ACTING = ["command", "url", "env", "cwd", "log_dir"] as const;
const PLACES = ["data_path", "gt_path", "scenes", "connectivity"] as const;

/**
 * The recorded benchmark of a run, limited to the acting parts that a command may use. Only this function decides
 * it. Parts that the command does not use are removed. Parts that it uses come from the reader's permissions, or
 * from run.json if this account made the run; otherwise they are rejected.
 *
 * @param uses the parts that the command uses
 * @param change further changes of the settings, applied after the decision
 * @throws ConfigError `foreign_run`, with the flags that would allow it
 */
export function recordedBenchmark(
  run: RunDirectory,
  info: RunInfo,
  uses: readonly ActingPart[],
  given: RunPermissions = {},
  change: (config: Section) => Section = (config) => config,
): LoadedConfig {
  const isOwn = given.bundle === undefined && isOwnRun(info);
  const parts = new ActingParts(run, info, uses, given, isOwn);
  const config = parts.config();
  parts.rejectForeign();
  const { file } = info.benchmark;
  return parseConfig(stringify(change(config)), {
    file: run.file("info"),
    // Never resolve packages from a run's folder.
    baseDir: isOwn && file !== undefined ? dirname(file) : process.cwd(),
    within: isOwn ? undefined : realpathSync(given.bundle?.folder ?? run.path),
    recorded: isEarly(info) ? "early" : "current",
  });
}

/** Whether a run was made by a version that did not record its sensors, nor complete goals. */
function isEarly({ sensors }: RunInfo): boolean {
  return sensors === undefined;
}

/** The config whose acting parts are trusted. */
function trustedConfig(
  info: RunInfo,
  { benchmark }: RunPermissions,
  isOwn: boolean,
): Section | undefined {
  if (benchmark !== undefined) return recordedConfig(loadConfig(benchmark));
  return isOwn ? info.config : undefined;
}

class ActingParts {
  readonly #trusted: Section | undefined;
  readonly #rejected: { readonly does: string; readonly flag: string }[] = [];

  constructor(
    private readonly run: RunDirectory,
    private readonly info: RunInfo,
    private readonly uses: readonly ActingPart[],
    private readonly given: RunPermissions,
    private readonly isOwn: boolean,
  ) {
    this.#trusted = trustedConfig(info, given, isOwn);
  }

  config(): Section {
    const { agent, cluster, ...config } = this.info.config;
    const allowed = this.#agent();
    return {
      ...config,
      ...(allowed === undefined ? {} : { agent: allowed }),
      plugins: this.#plugins(),
      simulator: {
        ...without(config.simulator, [...ACTING, ...PLACES]),
        ...this.#sensors(),
        ...this.#simulator(),
      },
      dataset: Object.fromEntries(
        Object.entries(sectionOf(config.dataset)).map(([task, section]) => [
          task,
          { ...without(section, PLACES), ...this.#places(task, sectionOf(section)) },
        ]),
      ),
    };
  }

  rejectForeign(): void {
    if (this.#rejected.length === 0) return;
    const does = [...new Set(this.#rejected.map((one) => one.does))];
    const flags = [...new Set(this.#rejected.map((one) => one.flag))];
    throw new ConfigError(
      "foreign_run",
      `the run was not made by this account, and would ${does.join(", ")}`,
      {
        where: this.run.file("info"),
        hint: `if you trust it, allow that by name: ${flags.join(" ")}`,
      },
    );
  }

  #plugins(): readonly string[] {
    if (!this.uses.includes("plugins")) return [];
    const { plugins } = this.given;
    // Paths from the command line are relative to the working directory.
    if (plugins) return plugins.map((name) => (name.startsWith(".") ? resolve(name) : name));
    if (this.#trusted) return textsOf(this.#trusted.plugins);
    for (const name of textsOf(this.info.config.plugins)) {
      this.#reject(`load the plugin ${name}`, `--plugin ${shellWord(name)}`);
    }
    return [];
  }

  /** In runs of early versions, sensors that the benchmark did not name were not observed. */
  #sensors(): Section {
    const { sensors } = sectionOf(this.info.config.simulator);
    if (!isRecord(sensors) || !isEarly(this.info)) return {};
    return { sensors: { ...sensors, [OTHER_SENSORS]: false } };
  }

  #simulator(): Section {
    const trusted = this.#trusted && sectionOf(this.#trusted.simulator);
    const places = this.given.bundle ? {} : only(trusted, this.#usedPlaces());
    if (!this.uses.includes("simulator")) return places;
    const { command, url } = sectionOf(this.info.config.simulator);
    if (command === undefined && url === undefined) return places;
    if (this.given.simulator !== undefined) {
      return { ...places, ...parseSimulator(this.given.simulator) };
    }
    if (trusted?.command ?? trusted?.url) return { ...places, ...only(trusted, ACTING) };
    const program = textsOf(command);
    if (program.length > 0) {
      this.#reject(`start the program ${program.join(" ")}`, simulatorText(program));
    } else {
      this.#reject(`connect to ${String(url)}`, simulatorText(String(url)));
    }
    return {};
  }

  #places(task: string, recorded: Section): Section {
    const trusted = this.#trusted && sectionOf(sectionOf(this.#trusted.dataset)[task]);
    // A path below a regular file can never exist.
    const nowhere = { data_path: join(this.run.path, FILES.info, "dataset") };
    if (this.uses.includes("dataset") && !trusted) {
      this.#reject(
        `read ${String(recorded.data_path)}`,
        "--benchmark <your copy of its benchmark>",
      );
    }
    const used = this.#usedPlaces();
    if (this.given.bundle) return { ...nowhere, ...only(this.#bundled(task), used) };
    const named = only({ ...this.given }, used);
    const absolute = Object.entries(named).map(([key, path]) => [key, resolve(String(path))]);
    if (trusted) return { ...nowhere, ...only(trusted, used), ...Object.fromEntries(absolute) };
    const graphs = recorded.connectivity ?? sectionOf(this.info.config.simulator).connectivity;
    if (used.includes("connectivity") && graphs !== undefined && !("connectivity" in named)) {
      // Without the graphs, distances would silently be measured on the mesh.
      this.#reject(`read ${String(graphs)}`, `--connectivity ${shellWord(String(graphs))}`);
    }
    // The default scene folder is `data`; for a foreign run it is the run's own folder.
    return { ...nowhere, scenes: resolve(this.run.path), ...Object.fromEntries(absolute) };
  }

  /** The folders of a bundle; a flag replaces the bundle's folder of that kind. */
  #bundled(task: string): Section {
    const { bundle, scenes, connectivity } = this.given;
    const own = bundle?.places[task] ?? {};
    const inside = (path: string) => join(bundle?.folder ?? "", path);
    return {
      scenes: own.scenes ? resolve(scenes ?? inside(own.scenes)) : inside("."),
      ...(own.connectivity
        ? { connectivity: resolve(connectivity ?? inside(own.connectivity)) }
        : {}),
    };
  }

  /** Graphs may be beside the episodes, so their users need the dataset's path. */
  #usedPlaces(): readonly (typeof PLACES)[number][] {
    const uses = (part: ActingPart) => this.uses.includes(part);
    return [
      ...(uses("scenes") ? (["scenes"] as const) : []),
      ...(uses("graphs") ? (["connectivity"] as const) : []),
      ...(uses("graphs") || uses("dataset") ? (["data_path"] as const) : []),
      ...(uses("dataset") ? (["gt_path"] as const) : []),
    ];
  }

  #agent(): string | undefined {
    if (!this.uses.includes("agent")) return undefined;
    const { agent } = this.info;
    if (this.given.agent !== undefined) return this.given.agent;
    if (this.isOwn || this.#trusted?.agent === agent || isHarmless(agent)) return agent;
    this.#reject(`act through the agent ${agent}`, `--agent ${shellWord(agent)}`);
    return undefined;
  }

  #reject(does: string, flag: string): void {
    this.#rejected.push({ does, flag });
  }
}

/** Whether a SPEC has only built-in agents that neither connect nor read files, and numbers. */
function isHarmless(spec: string): boolean {
  const { agents } = createRegistries();
  const names = spec.split(",").flatMap((part) => part.replace(/^[^=:]*=/, "").split(":"));
  return names.every((name) => {
    if (/^\d*\.?\d+$/.test(name)) return true;
    return agents.has(name) && name !== "replay" && agents.get(name).threads === undefined;
  });
}

function only(section: Section | undefined, keys: readonly string[]): Section {
  return Object.fromEntries(
    keys.flatMap((key) => (section?.[key] === undefined ? [] : [[key, section[key]]])),
  );
}

function without(section: unknown, keys: readonly string[]): Section {
  return Object.fromEntries(
    Object.entries(sectionOf(section)).filter(([key]) => !keys.includes(key)),
  );
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

import { ConfigError } from "../../core/errors.js";
import type { Agent, AgentFactory } from "../../core/interfaces/agent.js";
import type { Registries } from "../../registry/registries.js";

/** An agent as named on the command line or in the benchmark. */
export interface AgentRef {
  /** The registered name; for a URL its scheme. */
  readonly name: string;
  /** The text after `name:`; for a URL, the whole URL. */
  readonly argument: string | undefined;
}

/** `name=` with any name that a task section may have; see config/pairs.ts. */
const TASK_PREFIX = /^[\p{L}\p{N}_-]+=/u;

/**
 * Reads an agent SPEC: `random`, `replay:<run>`, `ws://host:port`, or one for each task,
 * `vln=shortest-path,pick_place=expert`. Returns a function from task to agent.
 */
export function parseAgentSpec(spec: string): (taskName: string, taskType: string) => AgentRef {
  if (!TASK_PREFIX.test(spec)) {
    const ref = parseAgentRef(spec);
    return () => ref;
  }
  const byTask = new Map<string, AgentRef>();
  // A comma inside an argument is fine as long as `name=` does not follow it.
  for (const part of spec.split(/,(?=[\p{L}\p{N}_-]+=)/u)) {
    const at = part.indexOf("=");
    byTask.set(part.slice(0, at), parseAgentRef(part.slice(at + 1)));
  }
  return (taskName, taskType) => {
    const ref = byTask.get(taskName) ?? byTask.get(taskType);
    if (ref) return ref;
    throw new ConfigError("no_agent", `--agent "${spec}" has no agent for the task ${taskName}`, {
      hint: `add ${taskName}=<agent>`,
    });
  };
}

/** One agent: a name, `name:argument` or a URL. */
export function parseAgentRef(text: string): AgentRef {
  const url = /^([\w+-]+):\/\//.exec(text);
  if (url?.[1]) return { name: url[1], argument: text };
  const colon = text.indexOf(":");
  if (text === "" || colon === 0) {
    throw new ConfigError("bad_agent", `"${text}" does not name an agent`, {
      hint: "see `robot-eval list agents`",
    });
  }
  return colon === -1
    ? { name: text, argument: undefined }
    : { name: text.slice(0, colon), argument: text.slice(colon + 1) };
}

/**
 * Finds the factory of an agent SPEC and of the agents it wraps, so that a wrong name inside `noisy:0.3:...`
 * is reported before the run. An agent that wraps a privileged one is privileged.
 */
export function findAgent(ref: AgentRef, registries: Registries): AgentFactory {
  const factory = registries.agents.get(ref.name);
  if (!factory.wraps) return factory;
  const inner = findAgent(parseAgentRef(factory.wraps(ref.argument)), registries);
  return {
    description: factory.description,
    privileged: factory.privileged === true || inner.privileged === true,
    threads: inner.threads,
    create: (options) =>
      factory.create({
        ...options,
        agent: async (spec): Promise<Agent> => {
          const wrapped = parseAgentRef(spec);
          return findAgent(wrapped, registries).create({ ...options, argument: wrapped.argument });
        },
      }),
  };
}

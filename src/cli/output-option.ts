import { Argument, type Command, Option } from "commander";
import { checkOutput, type OutputKind } from "../config/output-path.js";

/** Names that a text may be sent to instead of a file. */
export const STREAMS = { stdout: ["-", "/dev/stdout"], discard: ["/dev/null"] } as const;
const STREAM_NAMES: readonly string[] = [...STREAMS.stdout, ...STREAMS.discard];

export interface OutputRules {
  /** True if the user must give it. */
  readonly required?: boolean;
  /** The path if the user gives none. */
  readonly fallback?: string;
  /** True if one of `STREAMS` may be given instead of a path. */
  readonly streams?: boolean;
  /** The paths in the parsed value, if it is not a path itself. */
  readonly paths?: (value: unknown) => readonly string[];
}

/** An option that names what the command writes. The path is checked before the command begins. */
export class OutputOption extends Option {
  constructor(
    flags: string,
    description: string,
    readonly kind: OutputKind,
    readonly rules: OutputRules = {},
  ) {
    super(flags, description);
    if (rules.required) this.makeOptionMandatory();
    if (rules.fallback !== undefined) this.default(rules.fallback);
  }
}

/** An argument that names what the command writes, checked likewise. */
export class OutputArgument extends Argument {
  constructor(
    name: string,
    description: string,
    readonly kind: OutputKind,
  ) {
    super(name, description);
  }
}

/** Rejects paths that cannot be written, or where something exists that must not be replaced. */
export function checkOutputs(command: Command): void {
  for (const option of command.options) {
    if (!(option instanceof OutputOption)) continue;
    const { kind, rules } = option;
    const { streams = false, paths = pathsIn } = rules;
    for (const path of paths(command.getOptionValue(option.attributeName()))) {
      if (!(streams && STREAM_NAMES.includes(path))) checkOutput(path, kind);
    }
  }
  for (const [i, argument] of command.registeredArguments.entries()) {
    if (!(argument instanceof OutputArgument)) continue;
    for (const path of pathsIn(command.processedArgs[i])) checkOutput(path, argument.kind);
  }
}

function pathsIn(value: unknown): readonly string[] {
  return typeof value === "string" ? [value] : [];
}

import { Argument, type Command, Option } from "commander";
import { checkOutput, type OutputKind } from "../config/output-path.js";

/** What a text can be sent to in place of a file, by the names that a shell's user knows. */
export const STREAMS = { stdout: ["-", "/dev/stdout"], discard: ["/dev/null"] } as const;
const STREAM_NAMES: readonly string[] = [...STREAMS.stdout, ...STREAMS.discard];

interface OutputRules {
  readonly kind: OutputKind;
  /** Whether it may go to one of `STREAMS` instead. */
  readonly streams?: boolean;
  /** The paths in the option's value, where that is more than a path. */
  readonly paths?: (value: unknown) => readonly string[];
}

/** An option that names what the command writes. It is checked before the command begins. */
export class OutputOption extends Option {
  constructor(
    flags: string,
    description: string,
    readonly output: OutputRules,
  ) {
    super(flags, description);
  }
}

/** An argument that does, likewise. */
export class OutputArgument extends Argument {
  constructor(
    name: string,
    description: string,
    readonly output: OutputRules,
  ) {
    super(name, description);
  }
}

/** Refuses places where nothing can be written, or where something stands that is not ours to replace. */
export function checkOutputs(command: Command): void {
  for (const option of command.options) {
    if (option instanceof OutputOption) {
      check(command.getOptionValue(option.attributeName()), option.output);
    }
  }
  for (const [i, argument] of command.registeredArguments.entries()) {
    if (argument instanceof OutputArgument) check(command.processedArgs[i], argument.output);
  }
}

function check(value: unknown, { kind, streams = false, paths = pathsIn }: OutputRules): void {
  for (const path of paths(value)) {
    if (!(streams && STREAM_NAMES.includes(path))) checkOutput(path, kind);
  }
}

function pathsIn(value: unknown): readonly string[] {
  return typeof value === "string" ? [value] : [];
}

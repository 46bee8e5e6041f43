import { keysOf, schemaAt } from "../../../config/expectation.js";
import type { Finding } from "../../../config/issues.js";
import { benchmarkJsonSchema, type JsonSchema, toJsonSchema } from "../../../config/json-schema.js";
import type { LoadedConfig } from "../../../config/load.js";
import { SIMULATOR_KEYS } from "../../../config/schema.js";
import { hintForUnknownKey } from "../../../config/unknown-key.js";
import type { SimulatorFactory } from "../../../core/interfaces/simulator.js";
import type { Registries } from "../../../registry/registries.js";
import type { TaskSetup } from "../resolve-tasks.js";
import { hasSensor } from "../sensors.js";

/** Converts each simulator's schema once. */
class Schemas {
  readonly #made = new Map<SimulatorFactory, JsonSchema>();

  of(simulator: SimulatorFactory): JsonSchema {
    const known = this.#made.get(simulator);
    if (known) return known;
    // The empty schema accepts everything.
    const made = simulator.configSchema ? toJsonSchema(simulator.configSchema) : {};
    this.#made.set(simulator, made);
    return made;
  }

  sensor(simulator: SimulatorFactory, name: string): JsonSchema {
    return schemaAt(this.of(simulator), ["sensors", name]) ?? {};
  }
}

/**
 * Throws if `simulator:` has a key that no simulator of the benchmark reads, or a sensor has a setting that no
 * simulator with this sensor reads: a misspelt key would leave the default in force. Tasks share the section, so that a
 * key of one task's simulator is valid for all. Simulators without a schema, or with one that is open, read any key.
 */
export function checkSimulatorKeys(
  loaded: LoadedConfig,
  setups: readonly TaskSetup[],
  registries: Registries,
): void {
  const schemas = new Schemas();
  const findings = [
    ...unknownKeys(loaded, setups, schemas, registries),
    ...unknownSettings(loaded, setups, schemas),
  ];
  if (findings.length > 0) throw loaded.error(findings);
}

function unknownKeys(
  { config, document }: LoadedConfig,
  setups: readonly TaskSetup[],
  schemas: Schemas,
  { simulators }: Registries,
): Finding[] {
  const others = Object.keys(config.simulator).filter((key) => !SIMULATOR_KEYS.includes(key));
  const used = setups.flatMap(({ simulator }) => simulator ?? []);
  if (others.length === 0 || used.length === 0) return [];
  const read = keysReadBy(used.map((simulator) => schemas.of(simulator)));
  return unread(others, read).map((key) => {
    const finding = unknown(["simulator", key]);
    const readers = [...simulators.entries()].filter(([, one]) =>
      keysOf(schemas.of(one)).includes(key),
    );
    if (readers.length > 0) {
      const names = readers.map(([name]) => name).join(" and ");
      return {
        ...finding,
        hint: `only ${names} reads it, and no task of this benchmark runs there`,
      };
    }
    const valid = [...new Set([...SIMULATOR_KEYS, ...(read ?? [])])];
    return hintForUnknownKey(finding, document, benchmarkJsonSchema(), valid);
  });
}

function unknownSettings(
  { config, document }: LoadedConfig,
  setups: readonly TaskSetup[],
  schemas: Schemas,
): Finding[] {
  return Object.entries(config.simulator.sensors ?? {}).flatMap(([name, settings]) => {
    if (settings === false || Object.keys(settings).length === 0) return [];
    const read: JsonSchema[] = [];
    const described: string[] = [];
    for (const { task, simulator } of setups) {
      if (!simulator || !hasSensor(simulator, name, settings, task.instance)) continue;
      read.push(schemas.sensor(simulator, name));
      // Tasks describe their sensors with further keys, such as `encoding`, which `robot-eval describe` prints.
      described.push(...Object.keys(task.instance.sensorSuite.get(name)));
    }
    // No task has an unknown sensor; it is reported elsewhere.
    if (read.length === 0) return [];
    const valid = keysReadBy(read);
    return unread(Object.keys(settings), valid)
      .filter((key) => !described.includes(key))
      .map((key) =>
        hintForUnknownKey(
          unknown(["simulator", "sensors", name, key]),
          document,
          benchmarkJsonSchema(),
          valid,
        ),
      );
  });
}

function unknown(path: Finding["path"]): Finding {
  return { path, problem: "unknown key", at: "key", kind: "unknown" };
}

function unread(keys: readonly string[], read: readonly string[] | undefined): string[] {
  return read ? keys.filter((key) => !read.includes(key)) : [];
}

/** The keys of all schemas; undefined if one accepts any key. */
function keysReadBy(schemas: readonly JsonSchema[]): string[] | undefined {
  return schemas.some(isOpen) ? undefined : [...new Set(schemas.flatMap(keysOf))];
}

/** `z.looseObject` accepts any key. `z.object` drops the keys that it does not list, so that nothing reads them. */
function isOpen({ type, anyOf, oneOf, additionalProperties }: JsonSchema): boolean {
  const options = anyOf ?? oneOf;
  if (options) return options.some(isOpen);
  return type !== "object" || (additionalProperties ?? false) !== false;
}

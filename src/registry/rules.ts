import { RegistryError } from "../core/errors.js";
import { Registry } from "../core/registry.js";
import type { CriteriaPreset } from "../core/rules/criteria.js";
import type { Predicate } from "../core/rules/predicate.js";
import { BUILT_IN_PREDICATES } from "../core/rules/predicates/index.js";
import { COMBINATORS, isCombinator } from "../core/rules/rule.js";
import { BUILT_IN_PRESETS } from "../tasks/rules/presets.js";

/** Predicates by the name that rules use. */
export class PredicateRegistry extends Registry<Predicate> {
  constructor() {
    super("predicate");
  }

  override register(name: string, predicate: Predicate): void {
    if (isCombinator(name) || predicate.name !== name) {
      throw new RegistryError(
        "wrong_name",
        `the predicate "${predicate.name}" cannot be registered as "${name}"`,
        { hint: `both names must be the same, and none of ${COMBINATORS.join(", ")}` },
      );
    }
    super.register(name, predicate);
  }
}

export function registerRules(registries: {
  readonly predicates: Registry<Predicate>;
  readonly presets: Registry<CriteriaPreset>;
}): void {
  for (const predicate of BUILT_IN_PREDICATES) {
    registries.predicates.register(predicate.name, predicate);
  }
  for (const [name, preset] of Object.entries(BUILT_IN_PRESETS)) {
    registries.presets.register(name, preset);
  }
}

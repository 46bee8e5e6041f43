import { Converter, ReflectionKind } from "typedoc";

/** Modules by the name that a program imports them by, not by their path in this repository. */
const NAMES = {
  src: "robot-eval",
  "src/compat": "robot-eval/compat",
  "tools/docs/signature-types": "types in signatures",
};

function nameModules(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = NAMES[module.name] ?? module.name;
    }
  });
}

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "robot-eval",
  plugin: [nameModules],
  entryPoints: ["../../src/index.ts", "../../src/compat/index.ts", "signature-types.ts"],
  tsconfig: "tsconfig.json",
  out: "../../docs/api",
  readme: "none",
  // A link to a line of somebody's checkout helps nobody, and a release has no checkout at all.
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  hideGenerator: true,
  treatWarningsAsErrors: true,
  // How the inside works, visible in a signature: not for the reference.
  intentionallyNotExported: [
    "src/config/schema.ts:datasetSection",
    "src/config/schema.ts:simulatorSection",
    "src/config/schema.ts:taskSectionSchema",
    "src/config/source.ts:YamlSource",
    "src/core/episode/schemas.ts:episodeSchema",
    "src/evaluator/prepare.ts:RunPlan",
  ],
};

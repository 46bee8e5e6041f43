import { Converter, OptionDefaults, ReflectionKind } from "typedoc";

/** Modules by the name that a program imports them by, not by their path in this repository. */
const NAMES = {
  index: "robot-eval",
  compat: "robot-eval/compat",
  generate: "robot-eval/generate",
  api: "robot-eval/protocol",
  "api/policy": "robot-eval/policy",
  simulator: "robot-eval/scenes",
};

function nameModules(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = NAMES[module.name] ?? module.name;
    }
    // Pages are named by their first heading, not by their file.
    for (const page of project.getReflectionsByKind(ReflectionKind.Document)) {
      const [first] = page.content;
      const heading = /^# (.+)$/m.exec(first?.kind === "text" ? first.text : "")?.[1];
      page.name = heading?.replaceAll("`", "") ?? page.name;
    }
  });
}

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "robot-eval",
  plugin: [nameModules],
  entryPoints: [
    "../../src/index.ts",
    "../../src/api/index.ts",
    "../../src/api/policy/index.ts",
    "../../src/compat/index.ts",
    "../../src/generate/index.ts",
    "../../src/simulator/index.ts",
  ],
  tsconfig: "tsconfig.json",
  out: "../../site",
  readme: "../../README.md",
  projectDocuments: ["../../docs/*.md", "../../CHANGELOG.md", "../../python/README.md"],
  searchInDocuments: true,
  highlightLanguages: [...OptionDefaults.highlightLanguages, "python", "sql", "latex"],
  // Formulas are shown as they are written.
  ignoredHighlightLanguages: ["math"],
  // The pages have their own tables of contents and order.
  sort: ["source-order"],
  // Links to source lines of a local checkout would not work for readers.
  disableSources: true,
  // The pages of zod, which `robot-eval` exports again, would be five of six.
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  hideGenerator: true,
  treatWarningsAsErrors: true,
  // Signatures mention some types of the inside (the YAML source, a run's plan). Exporting a type is a
  // promise to keep it, so that is decided in src/index.ts and not by this tool's complaints.
  validation: { notExported: false },
};

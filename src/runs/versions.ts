import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

export const PACKAGE_VERSION: string = version;

/** What a result was made with. */
export function versions(): Readonly<Record<string, string>> {
  return {
    robot_eval: version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
}

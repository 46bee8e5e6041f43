import { DataError } from "../../../core/errors.js";
import { mjcfText } from "../../../core/mjcf/element.js";
import { scanMjcf } from "../../../core/mjcf/scan.js";
import { suggestion } from "../../../core/registry.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { ModelFiles } from "../physics/model/compile.js";
import { isMjcfFile } from "./file.js";
import type { MjcfModel } from "./model.js";

/**
 * The files with the elements that the robot's descriptor adds to bodies of its model, such as the end effector's site.
 * Added on the line of the body's tag, so that line numbers in MuJoCo's errors stay correct.
 */
export function withAdditions(
  files: ModelFiles,
  { robotType, model }: RobotDescriptor,
  file: MjcfModel,
): ModelFiles {
  let all = files;
  for (const [body, elements] of Object.entries(model?.additions ?? {})) {
    const found = Object.entries(all)
      .filter(([path]) => isMjcfFile(path))
      .map(([path, bytes]) => {
        const text = new TextDecoder().decode(bytes);
        return { path, text, tag: openingTag(text, body) };
      })
      .find(({ tag }) => tag !== undefined);
    if (!found?.tag) {
      throw new DataError(
        "robot_not_in_model",
        `the robot ${robotType} adds elements to the body "${body}", which the model does not have`,
        { where: file.path, hint: suggestion(body, file.names("body")) },
      );
    }
    const { path, text, tag } = found;
    const added = elements
      .map((element) => mjcfText(element))
      .join("")
      .replaceAll(/\s*\n\s*/g, " ");
    const own = text.slice(tag.start, tag.end);
    const element =
      tag.kind === "empty" ? `${own.replace(/\/>$/, ">")}${added}</body>` : own + added;
    const changed = text.slice(0, tag.start) + element + text.slice(tag.end);
    all = { ...all, [path]: new TextEncoder().encode(changed) };
  }
  return all;
}

function openingTag(text: string, body: string) {
  return scanMjcf(text).find(
    ({ tag, kind, attributes }) => tag === "body" && kind !== "close" && attributes.name === body,
  );
}

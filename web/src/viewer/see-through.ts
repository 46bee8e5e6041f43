import { type Material, Vector3 } from "three";

/** Half the width of the opening, in metres. */
const OPENING_M = 0.5;

/**
 * Makes objects between the camera and the robot transparent: fragments near the line of sight are discarded, with a
 * dithered edge.
 */
export class SeeThrough {
  private readonly focus = { value: new Vector3() };
  private readonly opening = { value: 0 };

  apply(material: Material): void {
    material.onBeforeCompile = (shader) => {
      shader.uniforms.focus = this.focus;
      shader.uniforms.opening = this.opening;
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vPlace;")
        .replace(
          "#include <begin_vertex>",
          "#include <begin_vertex>\nvPlace = (modelMatrix * vec4(transformed, 1.0)).xyz;",
        );
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\n${DECLARATIONS}`)
        .replace(
          "#include <clipping_planes_fragment>",
          "#include <clipping_planes_fragment>\nleaveOpen();",
        );
    };
  }

  /** The point that must be visible; null disables the effect. */
  setFocus(focus: Vector3 | null): void {
    this.opening.value = focus ? OPENING_M : 0;
    if (focus) this.focus.value.copy(focus);
  }
}

const DECLARATIONS = `
varying vec3 vPlace;
uniform vec3 focus;
uniform float opening;
void leaveOpen() {
  if (opening <= 0.0) return;
  vec3 sight = cameraPosition - focus;
  float far = length(sight);
  vec3 rel = vPlace - focus;
  float along = dot(rel, sight / far);
  float aside = length(rel - along * sight / far);
  // The floor, and objects beside or behind the robot, are kept.
  if (along < 0.22 || along > far || aside > opening || rel.y < -0.4) return;
  vec2 cell = mod(floor(gl_FragCoord.xy), 2.0);
  float grain = (cell.x * 2.0 + abs(cell.x - cell.y) * 1.0 + 0.5) / 4.0;
  if (smoothstep(0.65, 1.0, aside / opening) < grain) discard;
}
`;

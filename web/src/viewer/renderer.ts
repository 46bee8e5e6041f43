import { PCFShadowMap, WebGLRenderer } from "three";

/** The browser gives no WebGL 2: switched off, or no driver for it. */
class NoWebglError extends Error {
  override readonly name = "NoWebglError";
}

export interface Surface {
  readonly renderer: WebGLRenderer;
  /** The processor draws, not a graphics card: be sparing. */
  readonly software: boolean;
}

export function makeRenderer(canvas: HTMLCanvasElement): Surface {
  // Asked for here and not by three.js, which would fill the console before it gave up.
  const context = canvas.getContext("webgl2", { antialias: true, alpha: false, stencil: false });
  if (!context) throw new NoWebglError("this browser offers no WebGL 2");
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : "");
  const software = /swiftshader|llvmpipe|software|basic render/i.test(name);
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.setPixelRatio(software ? 1 : Math.min(window.devicePixelRatio, 2));
  renderer.localClippingEnabled = true;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  return { renderer, software };
}

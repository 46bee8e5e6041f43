import { PCFShadowMap, WebGLRenderer } from "three";

/** WebGL 2 is disabled or not supported. */
class NoWebglError extends Error {
  override readonly name = "NoWebglError";
}

export interface Surface {
  readonly renderer: WebGLRenderer;
  /** Rendering is done in software, so the resolution is reduced. */
  readonly software: boolean;
}

export function makeRenderer(canvas: HTMLCanvasElement): Surface {
  // Requested here, because three.js would log many errors before it fails.
  const context = canvas.getContext("webgl2", { antialias: true, alpha: false, stencil: false });
  if (!context) throw new NoWebglError("this browser does not support WebGL 2");
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

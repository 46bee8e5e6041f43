/**
 * What the 3D view of an episode shows, made from the run directory: everything is worked out from the
 * recorded actions and the scenes, so runs need not have kept it.
 *
 * @packageDocumentation
 */

export { frameStrip } from "./frame-strip.js";
export { poseTrack } from "./pose-track.js";
export { sceneGlb } from "./scene-glb.js";

/**
 * Geometry, poses and camera images for the 3D view of an episode. They are computed from the recorded actions and the
 * scenes, so runs need not store them.
 *
 * @packageDocumentation
 */

export { frameStrip } from "./frame-strip.js";
export { poseTrack } from "./pose-track.js";
export { sceneGlb } from "./scene-glb.js";

/**
 * Scenes as a library: generated apartments and files, their navmeshes, navigation graphs, rendered images and maps.
 *
 * @packageDocumentation
 */

export { type GraphNode, type GraphSource, NavGraph } from "../core/scene/graph.js";
export { type TopDownMap, topDownPng, topDownSvg } from "./maps/top-down.js";
export {
  type LeasedScene,
  type LoadedScene,
  SceneLibrary,
  sceneLibrary,
} from "./navigation/scene-library.js";
export type { SurfacePolygon, WalkableSurface } from "./navmesh/extract-surface.js";
export { NavMesh } from "./navmesh/navmesh.js";
export { HABITAT_NAVMESH, type NavMeshSettings } from "./navmesh/settings.js";
export { type Camera, type Frame, Renderer, type RenderOutputs } from "./render/renderer.js";
export { generateApartment } from "./scenes/apartment/apartment.js";
export { CATEGORIES, categoryNumber } from "./scenes/categories.js";
export { writeGlb } from "./scenes/gltf/export-glb.js";
export { loadScene } from "./scenes/load.js";
export type {
  Material,
  SceneDoor,
  SceneInstance,
  SceneModel,
  ScenePart,
  SceneRoom,
  Texture,
  TriangleMesh,
} from "./scenes/model.js";

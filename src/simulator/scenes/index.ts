/**
 * Scenes as a library: generated apartments and files, their navmeshes, pictures and maps.
 *
 * @packageDocumentation
 */

export { type TopDownMap, topDownPng, topDownSvg } from "../maps/top-down.js";
export { ExactGeodesic } from "../navigation/geodesic/exact.js";
export { NavMesh } from "../navigation/navmesh/navmesh.js";
export { HABITAT_NAVMESH, type NavMeshSettings } from "../navigation/navmesh/settings.js";
export type { SurfacePolygon, WalkableSurface } from "../navigation/navmesh/surface.js";
export { type Camera, type Frame, Renderer, type RenderWish } from "../render/renderer.js";
export { generateApartment } from "./apartment/apartment.js";
export { CATEGORIES, categoryNumber } from "./categories.js";
export { writeGlb } from "./export-glb.js";
export { type LeasedScene, type LoadedScene, SceneLibrary, sceneLibrary } from "./library.js";
export { loadScene } from "./load.js";
export type {
  Material,
  SceneDoor,
  SceneInstance,
  SceneModel,
  ScenePart,
  SceneRoom,
  Texture,
  TriangleMesh,
} from "./model.js";

import * as core from "recast-navigation";
import * as generators from "recast-navigation/generators";

/*
 * The package's own declarations do not resolve under Node's module rules, because their relative imports
 * lack extensions. So this file declares the part that is used.
 */

/** An address in the memory of the WebAssembly module. */
export type Pointer = number;

/**
 * The generated bindings accept addresses wherever their types ask for arrays or wrapper objects. Queries
 * pass addresses in one block that is allocated once, so they create no garbage on either side. That is more
 * than twice as fast as the wrapper (see bench/navmesh.mjs).
 */
export interface RawQuery {
  init(mesh: RawMesh, maxNodes: number): number;
  destroy(): void;
  findNearestPoly(
    center: Pointer,
    halfExtents: Pointer,
    filter: Pointer,
    ref: Pointer,
    point: Pointer,
    isOver: Pointer,
  ): number;
  closestPointOnPoly(ref: number, position: Pointer, closest: Pointer, isOver: Pointer): number;
  findPath(
    startRef: number,
    endRef: number,
    start: Pointer,
    end: Pointer,
    filter: Pointer,
    path: Pointer,
    maxPath: number,
  ): number;
  findStraightPath(
    start: Pointer,
    end: Pointer,
    path: Pointer,
    points: Pointer,
    flags: Pointer,
    refs: Pointer,
    count: Pointer,
    maxPoints: number,
    options: number,
  ): number;
  moveAlongSurface(
    startRef: number,
    start: Pointer,
    end: Pointer,
    filter: Pointer,
    result: Pointer,
    visited: Pointer,
    maxVisited: number,
  ): number;
  raycast(
    startRef: number,
    start: Pointer,
    end: Pointer,
    filter: Pointer,
    options: number,
    hit: Pointer,
    previousRef: number,
  ): number;
}

export interface RawMesh {
  initTiled(params: RawParams): boolean;
  addTile(data: RawArray, flags: number, lastRef: number, ref: RawRef): number;
  destroy(): void;
}

interface RawParams {
  set_orig(axis: number, value: number): void;
  tileWidth: number;
  tileHeight: number;
  maxTiles: number;
  maxPolys: number;
}

export interface RawArray {
  readonly size: number;
  resize(size: number): void;
  getDataPointer(): Pointer;
}

interface RawRef {
  readonly value: number;
}

export interface RawFilter {
  setIncludeFlags(flags: number): void;
  setExcludeFlags(flags: number): void;
}

interface RawModule {
  /** Views of the memory. They are replaced whenever it grows, so do not store them. */
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  readonly HEAPU32: Uint32Array;
  readonly HEAPF32: Float32Array;
  _malloc(bytes: number): Pointer;
  _free(at: Pointer): void;
  getPointer(object: object): Pointer;
  readonly NavMesh: new () => RawMesh;
  readonly NavMeshQuery: new () => RawQuery;
  readonly dtNavMeshParams: new () => RawParams;
  readonly dtQueryFilter: new () => RawFilter;
  readonly UnsignedCharArray: new () => RawArray;
  readonly UnsignedIntArray: new () => RawArray;
  readonly FloatArray: new () => RawArray;
  readonly UnsignedIntRef: new () => RawRef;
}

interface RecastCore {
  init(): Promise<void>;
  readonly Raw: {
    readonly Module: RawModule;
    readonly Detour: { statusSucceed(status: number): boolean };
    destroy(object: object): void;
  };
  readonly Detour: { readonly DT_BUFFER_TOO_SMALL: number };
}

interface RecastGenerators {
  generateSoloNavMeshData(
    positions: Float32Array,
    indices: Uint32Array,
    config: object,
  ): {
    readonly success: boolean;
    readonly intermediates: { readonly buildContext: { readonly raw: object } };
    readonly navMeshData?: { toTypedArray(): Uint8Array; destroy(): void };
  };
}

const { init, Raw, Detour } = core as unknown as RecastCore;
const { generateSoloNavMeshData } = generators as unknown as RecastGenerators;

export { Detour, generateSoloNavMeshData, Raw };

let ready: Promise<void> | undefined;

/** Compiles the WebAssembly module once per process, on first use of a navmesh. */
export function startRecast(): Promise<void> {
  ready ??= init();
  return ready;
}

/** Locates scene files. The dataset layer implements it for simulators. */
export interface SceneSource {
  /** The path of a scene's file; throws a DataError that lists the searched paths if there is none. */
  locate(sceneId: string): Promise<string>;
  /** Scene files are untrusted and may only reference files inside this folder. */
  readonly within?: string | undefined;
}

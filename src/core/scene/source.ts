/** Where scenes' files are. The dataset's side knows the folders; simulators only ask. */
export interface SceneSource {
  /** A path that can be opened; a DataError that names the places looked at when there is none. */
  locate(sceneId: string): Promise<string>;
}

/** Whether a scene is an MJCF file; other scenes are generated from the episode. */
export function isMjcfFile(sceneId: string): boolean {
  return /\.(xml|mjcf)$/i.test(sceneId);
}

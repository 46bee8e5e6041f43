/** Whether a scene is an MJCF file; others are made here from the episode. */
export function isMjcfFile(sceneId: string): boolean {
  return /\.(xml|mjcf)$/i.test(sceneId);
}

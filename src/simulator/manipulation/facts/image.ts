/** Width over height of the head camera's default image. */
const ASPECT = 4 / 3;

/** Half the width and height of what a camera's 4:3 image shows at a depth, in metres. */
export function imageHalves(
  fovyDeg: number,
  depthM: number,
): { readonly width: number; readonly height: number } {
  const height = Math.tan((fovyDeg * Math.PI) / 360) * depthM;
  return { width: height * ASPECT, height };
}

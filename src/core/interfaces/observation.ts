/**
 * What a policy observes in one step, by sensor name. Images are typed arrays within the process and are
 * encoded only when they are sent.
 *
 * A camera's entry is a getter: the image is rendered on first access, from the state at that step, even if
 * the simulator has moved on. An image that is not read is not rendered.
 */
export type Observation = Readonly<Record<string, unknown>>;

/** An image in row-major order, top row first. */
export type Image = ColorImage | DepthImage | SemanticImage;

export interface ColorImage {
  readonly kind: "rgb";
  readonly width: number;
  readonly height: number;
  /** r, g, b of each pixel. */
  readonly data: Uint8Array;
}

export interface DepthImage {
  readonly kind: "depth";
  readonly width: number;
  readonly height: number;
  /** Metres along the camera's axis (not along the ray); 0 where there is nothing. */
  readonly data: Float32Array;
}

export interface SemanticImage {
  readonly kind: "semantic";
  readonly width: number;
  readonly height: number;
  /** The id of an object instance or of a category, depending on the sensor. */
  readonly data: Uint16Array;
}

/**
 * Whether a sensor's value is a colour, depth or semantic image.
 *
 * @example
 * function isDark({ rgb }: Record<string, unknown>) {
 *   return isImage(rgb) && rgb.kind === "rgb" && rgb.data.every((value) => value < 16);
 * }
 */
export function isImage(value: unknown): value is Image {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    (value.kind === "rgb" || value.kind === "depth" || value.kind === "semantic") &&
    "data" in value &&
    ArrayBuffer.isView(value.data)
  );
}

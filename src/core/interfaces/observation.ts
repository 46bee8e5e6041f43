/**
 * What a policy sees in one step, by sensor name. Numbers and text as they are; images as typed arrays
 * inside the process, encoded only where they leave it.
 *
 * A camera's entry is a getter: the picture is drawn when it is first asked for, of the world as it was
 * at that step, however late that is. Who does not look at a sensor does not pay for it.
 */
export type Observation = Readonly<Record<string, unknown>>;

/** A picture, row by row from the top. */
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
  /** The number of a thing or of a category, as the sensor says. */
  readonly data: Uint16Array;
}

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

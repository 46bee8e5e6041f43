/**
 * sRGB's transfer function (IEC 61966-2-1). glTF's factors and vertex colours are linear, the model's are
 * sRGB.
 */
export function toSrgb(linear: number): number {
  // The formula misses 1 by a rounding error, but white must stay white.
  if (linear >= 1) return 1;
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

export function toLinear(srgb: number): number {
  return srgb <= 0.04045 ? srgb / 12.92 : ((srgb + 0.055) / 1.055) ** 2.4;
}

export function byte(unit: number): number {
  return Math.round(255 * Math.min(1, Math.max(0, unit)));
}

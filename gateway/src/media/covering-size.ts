export type ImageSize = { readonly width: number; readonly height: number };

/** The smallest size that covers both: an image counts as large as the largest size it declares in each direction. */
export function coveringSize(one: ImageSize | null, other: ImageSize | null): ImageSize | null {
  if (one === null || other === null) return one ?? other;
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

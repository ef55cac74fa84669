export type ImageSize = { readonly width: number; readonly height: number };

/** What holds both: a picture is as large as the largest thing that it says of itself, in each direction. */
export function coveringSize(one: ImageSize | null, other: ImageSize | null): ImageSize | null {
  if (one === null || other === null) return one ?? other;
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

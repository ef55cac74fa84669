/** Red, green and blue from 0 to 255. Pictures are mixed from a few of these, so that everything in one harmonises. */
export type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];

export function hex(text: string): Rgb {
  const value = Number.parseInt(text.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function css([red, green, blue]: Rgb, alpha = 1): string {
  return `rgba(${Math.round(red)},${Math.round(green)},${Math.round(blue)},${alpha})`;
}

/** `share` is that of the second colour. */
export function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const keep = 1 - share;
  return [
    one[0] * keep + other[0] * share,
    one[1] * keep + other[1] * share,
    one[2] * keep + other[2] * share,
  ];
}

export function lighten(colour: Rgb, share: number): Rgb {
  return mix(colour, WHITE, share);
}

/** Towards a deep blue, not black: shadows outdoors are never grey. */
export function darken(colour: Rgb, share: number): Rgb {
  return mix(colour, [18, 18, 46], share);
}

/** A colour as it looks in coloured light. */
export function litBy(colour: Rgb, light: Rgb): Rgb {
  return [(colour[0] * light[0]) / 255, (colour[1] * light[1]) / 255, (colour[2] * light[2]) / 255];
}

export function brightness([red, green, blue]: Rgb): number {
  return (0.3 * red + 0.59 * green + 0.11 * blue) / 255;
}

/** Hue in degrees; saturation and lightness from 0 to 1. */
export function hsl(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const turn = (offset + (((hue % 360) + 360) % 360) / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

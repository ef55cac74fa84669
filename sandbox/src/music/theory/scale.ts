/** Semitones above the tonic. */
export const SCALES = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  harmonicMinor: [0, 2, 3, 5, 7, 8, 11],
} as const;

export type ScaleName = keyof typeof SCALES;
export type Mode = "major" | "minor";

export type Key = {
  /** 0 is C. */
  readonly tonic: number;
  readonly mode: Mode;
};

export function pitchClass(pitch: number): number {
  return ((pitch % 12) + 12) % 12;
}

/** The lowest pitch of this pitch class that is not below `low`. */
export function firstFrom(low: number, tone: number): number {
  return low + pitchClass(tone - low);
}

/** All pitches of the scale within the range, ascending. */
export function scalePitches(
  tonic: number,
  scale: ScaleName,
  [low, high]: readonly [number, number],
): number[] {
  const classes = new Set<number>(SCALES[scale].map((step) => pitchClass(tonic + step)));
  const pitches: number[] = [];
  for (let pitch = low; pitch <= high; pitch++) if (classes.has(pitchClass(pitch))) pitches.push(pitch);
  return pitches;
}

export function nearestOf(pitches: readonly number[], target: number): number {
  let nearest = pitches[0] ?? target;
  for (const pitch of pitches) {
    if (Math.abs(pitch - target) < Math.abs(nearest - target)) nearest = pitch;
  }
  return nearest;
}

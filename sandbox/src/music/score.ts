/** What is played, before any audio is made. Times are in beats from the beginning. */
export type Note = {
  readonly part: number;
  readonly startBeat: number;
  readonly lengthBeats: number;
  readonly pitch: number;
  /** 1 to 127. */
  readonly velocity: number;
};

export type Part = {
  /** A General MIDI program; for drums, the kit. */
  readonly program: number;
  readonly isDrums: boolean;
  /** Intended loudness relative to the other parts; `balance` finds the volume for it by measuring. */
  readonly levelDb: number;
  /** 0 to 127, like the fields that follow. */
  readonly volume: number;
  readonly pan: number;
  readonly reverb: number;
  readonly chorus: number;
};

/** A controller change during the music. */
export type Turn = {
  readonly part: number;
  readonly atBeat: number;
  /** Only expression changes during the music. */
  readonly controller: 11;
  readonly value: number;
};

export type Score = {
  readonly bpm: number;
  /** Where the last chord begins; after it, everything only rings out. */
  readonly totalBeats: number;
  readonly durationMs: number;
  readonly parts: readonly Part[];
  readonly notes: readonly Note[];
  readonly turns: readonly Turn[];
  /** Where most parts play. */
  readonly fullestBeat: number;
};

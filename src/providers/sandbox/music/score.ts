/** What is played, before any sound of it is made. Times are in beats from the beginning. */
export type Note = {
  readonly part: number;
  readonly startBeat: number;
  readonly lengthBeats: number;
  readonly pitch: number;
  /** 1 to 127. */
  readonly velocity: number;
};

export type Part = {
  /** Of the General MIDI list; for drums the kit. */
  readonly program: number;
  readonly isDrums: boolean;
  /** How loud it is meant to be against the others; the volume that makes it so is found by listening. */
  readonly levelDb: number;
  /** 0 to 127, as all that follow. */
  readonly volume: number;
  readonly pan: number;
  readonly reverb: number;
  readonly chorus: number;
};

/** A turn of a knob while the music plays. */
export type Turn = {
  readonly part: number;
  readonly atBeat: number;
  /** Expression is the only one that moves while they play. */
  readonly controller: 11;
  readonly value: number;
};

export type Score = {
  readonly bpm: number;
  /** Where the last chord begins; what sounds after it only rings out. */
  readonly totalBeats: number;
  readonly durationMs: number;
  readonly parts: readonly Part[];
  readonly notes: readonly Note[];
  readonly turns: readonly Turn[];
  /** Where most of them play. */
  readonly fullestBeat: number;
};

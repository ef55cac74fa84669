import type { Random } from "../../random.ts";
import type { Chord } from "../theory/chord.ts";
import type { Range } from "../theory/voicing.ts";

export type VoicedSpan = {
  readonly chord: Chord;
  readonly startBeat: number;
  readonly lengthBeats: number;
  /** Voiced for this part. */
  readonly pitches: readonly number[];
};

/** All that a part knows when it plays a bar. */
export type Bar = {
  readonly startBeat: number;
  readonly beatsPerBar: number;
  readonly spans: readonly VoicedSpan[];
  readonly next: Chord;
  readonly range: Range;
  readonly random: Random;
};

export type PlayedNote = {
  readonly startBeat: number;
  readonly lengthBeats: number;
  readonly pitch: number;
  readonly force: number;
};

export function spanAt(bar: Bar, beat: number): VoicedSpan | undefined {
  return bar.spans.findLast(({ startBeat }) => startBeat <= beat + 1e-6) ?? bar.spans[0];
}

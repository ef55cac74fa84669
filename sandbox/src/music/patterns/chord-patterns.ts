import { readGrid } from "../grid.ts";
import { type Bar, type PlayedNote, spanAt } from "./bar.ts";

export function holdChords({ spans }: Bar): PlayedNote[] {
  return spans.flatMap(({ startBeat, lengthBeats, pitches }) =>
    pitches.map((pitch) => ({ startBeat, lengthBeats: lengthBeats * 0.98, pitch, force: 0.6 })),
  );
}

export function strikeChords(bar: Bar, grid: string): PlayedNote[] {
  return readGrid(grid, bar.beatsPerBar).flatMap((stroke, index) => {
    const startBeat = bar.startBeat + stroke.atBeat;
    const span = spanAt(bar, startBeat);
    if (span === undefined) return [];
    const isUp = Math.abs((stroke.atBeat % 1) - 0.5) < 0.01 && index > 0;
    return span.pitches.map((pitch) => ({
      startBeat,
      lengthBeats: stroke.lengthBeats * 0.94,
      pitch,
      force: stroke.force * (isUp ? 0.82 : 1),
    }));
  });
}

export function breakChords(bar: Bar, grid: string, order: readonly number[]): PlayedNote[] {
  return readGrid(grid, bar.beatsPerBar).flatMap((stroke, index) => {
    const startBeat = bar.startBeat + stroke.atBeat;
    const span = spanAt(bar, startBeat);
    const tone = order[index % order.length] ?? 0;
    const size = span?.pitches.length ?? 0;
    const pitch = span?.pitches[tone % size];
    if (pitch === undefined) return [];
    const octaves = Math.floor(tone / size) * 12;
    return [{ startBeat, lengthBeats: stroke.lengthBeats, pitch: pitch + octaves, force: stroke.force }];
  });
}

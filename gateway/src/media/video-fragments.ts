import { type IsoBox, type IsoBudget, isoBoxesAt, isoBoxesIn } from "./iso-boxes.ts";
import { isoTrackTime } from "./iso-length.ts";

/** Times are in the track's own units. */
type Track = {
  readonly perSecond: number;
  /** Default duration of a sample. */
  readonly sampleUnits: number;
  /** Null until its first sample is seen. */
  start: number | null;
  end: number;
};

/**
 * Duration of a fragmented video. Each fragment adds to it, and the movie header knows at most the first. Null if
 * anything cannot be read.
 */
export function fragmentedLengthMs(
  movie: Uint8Array,
  fragments: readonly IsoBox[],
  budget: IsoBudget & { samples: number },
): number | null {
  const tracks = tracksOf(movie, budget);
  for (const fragment of fragments) {
    for (const run of isoBoxesIn(fragment.bytes, budget)) {
      if (run.type === "traf" && !addRun(tracks, isoBoxesIn(run.bytes, budget), budget)) return null;
    }
  }
  if (budget.boxes < 0) return null;
  const lengths = [...tracks.values()].map(({ start, end, perSecond }) => (end - (start ?? 0)) / perSecond);
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  return longest > 0 ? Math.max(1, Math.round(longest * 1_000)) : null;
}

function tracksOf(movie: Uint8Array, budget: IsoBudget): Map<number, Track> {
  const defaults = new Map(
    isoBoxesAt(movie, ["mvex", "trex"]).map(({ bytes }) => [wordAt(bytes, 4), wordAt(bytes, 12)]),
  );
  const tracks = new Map<number, Track>();
  for (const { bytes } of isoBoxesAt(movie, ["trak"])) {
    const [header] = isoBoxesAt(bytes, ["tkhd"]);
    const id = header && wordAt(header.bytes, header.bytes[0] === 1 ? 20 : 12);
    const time = isoTrackTime(bytes, budget);
    if (id === undefined || !time) continue;
    const { units: end, perSecond } = time;
    tracks.set(id, { perSecond, sampleUnits: defaults.get(id) ?? 0, start: end > 0 ? 0 : null, end });
  }
  return tracks;
}

/** False if it cannot be read. */
function addRun(
  tracks: ReadonlyMap<number, Track>,
  boxes: readonly IsoBox[],
  budget: { samples: number },
): boolean {
  const header = boxes.find(({ type }) => type === "tfhd")?.bytes;
  const track = header && tracks.get(wordAt(header, 4) ?? 0);
  if (header === undefined || track === undefined) return false;
  const time = boxes.find(({ type }) => type === "tfdt")?.bytes;
  const begin = (time && (time[0] === 1 ? longAt(time, 4) : wordAt(time, 4))) ?? track.end;
  const each = ownSampleUnits(header) ?? track.sampleUnits;
  let units = 0;
  for (const { type, bytes } of boxes) if (type === "trun") units += runUnits(bytes, each, budget);
  if (!Number.isFinite(units)) return false;
  track.start ??= begin;
  track.end = Math.max(track.end, begin + units);
  return true;
}

/** The flags say which fields the header has: an offset, a sample description, then the sample duration. */
function ownSampleUnits(header: Uint8Array): number | undefined {
  const flags = flagsOf(header);
  if ((flags & 0x08) === 0) return undefined;
  return wordAt(header, 8 + ((flags & 0x01) !== 0 ? 8 : 0) + ((flags & 0x02) !== 0 ? 4 : 0));
}

/** Duration of all samples of a run; NaN if it has fewer than it says, or more than we read. */
function runUnits(run: Uint8Array, each: number, budget: { samples: number }): number {
  const flags = flagsOf(run);
  const count = wordAt(run, 4) ?? Number.NaN;
  if ((flags & 0x100) === 0) return count * each;
  const sampleBytes = [0x100, 0x200, 0x400, 0x800].reduce((sum, flag) => sum + (flags & flag ? 4 : 0), 0);
  const first = 8 + ((flags & 0x01) !== 0 ? 4 : 0) + ((flags & 0x04) !== 0 ? 4 : 0);
  budget.samples -= count;
  if (!(first + count * sampleBytes <= run.byteLength && budget.samples >= 0)) return Number.NaN;
  const view = new DataView(run.buffer, run.byteOffset, run.byteLength);
  let units = 0;
  for (let sample = 0; sample < count; sample += 1) units += view.getUint32(first + sample * sampleBytes);
  return units;
}

function flagsOf(bytes: Uint8Array): number {
  return (wordAt(bytes, 0) ?? 0) & 0xffffff;
}

function wordAt(bytes: Uint8Array, at: number): number | undefined {
  if (at + 4 > bytes.byteLength) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at);
}

function longAt(bytes: Uint8Array, at: number): number | undefined {
  const high = wordAt(bytes, at);
  const low = wordAt(bytes, at + 4);
  return high === undefined || low === undefined ? undefined : high * 2 ** 32 + low;
}

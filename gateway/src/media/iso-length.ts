import { type IsoBudget, isoBoxesAt } from "./iso-boxes.ts";

/** A duration in units, and how many units make a second. 0 units means unknown. */
type IsoTime = { readonly units: number; readonly perSecond: number };

/** `mvhd` and `mdhd` begin alike: version, two timestamps, units per second, duration in units. Null if broken. */
function isoTime(header: Uint8Array): IsoTime | null {
  const view = viewOf(header);
  const isLong = header[0] === 1;
  if (header.length < (isLong ? 32 : 20)) return null;
  const perSecond = view.getUint32(isLong ? 20 : 12);
  if (perSecond === 0) return null;
  return { units: unitsAt(view, isLong ? 24 : 16, isLong), perSecond };
}

/** All bits set means unknown, returned as 0. */
function unitsAt(view: DataView, at: number, isLong: boolean): number {
  const units = isLong ? Number(view.getBigUint64(at)) : view.getUint32(at);
  return units === (isLong ? 2 ** 64 : 0xffffffff) ? 0 : units;
}

/** Duration by an `mvhd` or `mdhd` header. 0 if unknown; null if broken. */
export function isoLengthMs(header: Uint8Array): number | null {
  const time = isoTime(header);
  return time && millisecondsOf(time);
}

/** For all tracks of a video together, unless the caller brings a budget; a real video has a few hundred boxes. */
const MAX_TRACK_BOXES = 4_096;

/**
 * The longest duration that a video or any of its tracks declares: a short video must not hide a long track. Undefined
 * if none declares one, as in fragmented video. Null if broken.
 */
export function isoDurationMs(bytes: Uint8Array, budget?: IsoBudget): number | null | undefined {
  const videos = isoBoxesAt(bytes, ["moov", "mvhd"], budget).map((header) => isoTime(header.bytes));
  const times = videos.filter((time) => time !== null);
  if (times.length === 0 || times.length < videos.length) return null;
  const perSecond = Math.min(...times.map((time) => time.perSecond));
  const ofTracks = budget ?? { boxes: MAX_TRACK_BOXES };
  for (const { bytes: track } of isoBoxesAt(bytes, ["moov", "trak"], budget)) {
    const time = isoTrackTime(track, ofTracks);
    if (time === null) return null;
    if (time !== undefined) times.push(time);
    times.push({ units: editedUnits(track, ofTracks), perSecond });
  }
  if (ofTracks.boxes < 0) return null;
  const longest = Math.max(...times.map(millisecondsOf));
  return longest === 0 ? undefined : longest;
}

/**
 * Duration of a track by its header or by its samples, whichever is longer: players go by the samples, so clients that
 * are charged by duration could write anything into the header. Undefined if not declared. Null if broken, or if there
 * are more boxes than the budget allows.
 */
export function isoTrackTime(track: Uint8Array, budget: IsoBudget): IsoTime | null | undefined {
  const headers = isoBoxesAt(track, ["mdia", "mdhd"], budget);
  const inTable = (type: string) => isoBoxesAt(track, ["mdia", "minf", "stbl", type], budget);
  const lengths = inTable("stts");
  const counts = [...inTable("stsz"), ...inTable("stz2")].map(({ bytes }) => countAt(bytes, 8));
  if (budget.boxes < 0) return null;
  const [header] = headers;
  if (header === undefined) return lengths.length === 0 ? undefined : null;
  const told = isoTime(header.bytes);
  if (told === null || headers.length > 1) return null;
  const samples = Math.max(0, ...counts);
  const played = lengths.map(({ bytes }) => playedUnits(bytes, samples));
  return { ...told, units: Math.max(told.units, ...played) };
}

/** How long the edit list plays the track, in units of the movie: it may play one part many times. */
function editedUnits(track: Uint8Array, budget: IsoBudget): number {
  const lists = isoBoxesAt(track, ["edts", "elst"], budget).map(({ bytes }) => unitsOfEdits(bytes));
  return Math.max(0, ...lists);
}

function unitsOfEdits(edits: Uint8Array): number {
  const view = viewOf(edits);
  const isLong = edits[0] === 1;
  const rowBytes = isLong ? 20 : 12;
  const end = Math.min(edits.length - rowBytes + 1, 8 + countAt(edits, 4) * rowBytes);
  let units = 0;
  for (let at = 8; at < end; at += rowBytes) {
    units += unitsAt(view, at, isLong);
  }
  return units;
}

/** Total duration of all samples, from rows of (count, duration). The last row also covers all remaining samples. */
function playedUnits(lengths: Uint8Array, samples: number): number {
  const view = viewOf(lengths);
  const end = Math.min(lengths.length - 7, 8 + countAt(lengths, 4) * 8);
  let units = 0;
  let left = samples;
  let each = 0;
  for (let at = 8; at < end; at += 8) {
    const count = view.getUint32(at);
    each = view.getUint32(at + 4);
    units += count * each;
    left -= count;
  }
  return units + Math.max(0, left) * each;
}

function millisecondsOf({ units, perSecond }: IsoTime): number {
  return (units / perSecond) * 1_000;
}

function countAt(bytes: Uint8Array, at: number): number {
  return at + 4 <= bytes.length ? viewOf(bytes).getUint32(at) : 0;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

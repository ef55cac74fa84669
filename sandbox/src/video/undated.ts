const DATED_BOXES = ["mvhd", "tkhd", "mdhd"];
const MAX_TRACKS = 2;

/** Removes creation dates from a video, so that the same request gives the same bytes. Works in place. */
export function withoutDates(video: Uint8Array): Uint8Array {
  const view = new DataView(video.buffer, video.byteOffset, video.byteLength);
  const bytes = Buffer.from(video.buffer, video.byteOffset, video.byteLength);
  const end = bytes.indexOf("mdat");
  for (const name of DATED_BOXES) {
    let at = bytes.indexOf(name);
    for (let found = 0; found < MAX_TRACKS && at >= 0 && at < end; found++) {
      // After name, version and flags: both dates, which are longer in version 1.
      const sizeBytes = view.getUint8(at + 4) === 1 ? 16 : 8;
      video.fill(0, at + 8, at + 8 + sizeBytes);
      at = bytes.indexOf(name, at + 4);
    }
  }
  return video;
}

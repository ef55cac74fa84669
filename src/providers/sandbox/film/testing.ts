/** A WAV of one channel with a plain tone. */
export function toneWave(seconds: number): Uint8Array {
  const [rate, count] = [22_050, Math.round(22_050 * seconds)];
  const bytes = new Uint8Array(44 + count * 2);
  const view = new DataView(bytes.buffer);
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at);
  text(0, "RIFF");
  view.setUint32(4, 36 + count * 2, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, count * 2, true);
  for (let at = 0; at < count; at++) view.setInt16(44 + at * 2, Math.sin(at * 0.12) * 9_000, true);
  return bytes;
}

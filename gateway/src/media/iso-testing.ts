/** A box of an ISO media file. */
export function isoBox(type: string, ...inside: Uint8Array[]): Buffer {
  const body = Buffer.concat(inside);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, body]);
}

/** Four-byte numbers, as most boxes hold them. */
export function isoWords(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

/** A video track whose headers say one thing and whose samples say another; a unit is a millisecond. */
export function isoPictureTrack(of: {
  readonly said: { readonly units: number; readonly width: number; readonly height: number };
  /** Rows of (number of samples, duration of each in units). */
  readonly samples: readonly (readonly [count: number, units: number])[];
  readonly samplesInAll?: number;
  readonly width: number;
  readonly height: number;
  readonly more?: Buffer;
  /** Follows the size in the sample entry. */
  readonly ofSamples?: Buffer;
}): Buffer {
  const { said, samples, width, height } = of;
  const rows = samples.flat();
  const count = of.samplesInAll ?? samples.reduce((sum, [each]) => sum + each, 0);
  const size = isoWords(width * 65_536 + height);
  const rest = [Buffer.alloc(50), of.ofSamples ?? Buffer.alloc(0)];
  const entry = isoBox("avc1", Buffer.alloc(24), size, ...rest);
  const table = isoBox(
    "stbl",
    isoBox("stsd", isoWords(0, 1), entry),
    isoBox("stts", isoWords(0, samples.length, ...rows)),
    isoBox("stsz", isoWords(0, 77, count)),
  );
  const header = Buffer.concat([Buffer.alloc(76), isoWords(said.width * 65_536, said.height * 65_536)]);
  const handler = Buffer.from(`${"\0".repeat(8)}vide${"\0".repeat(13)}`, "latin1");
  const time = isoBox("mdhd", isoWords(0, 0, 0, 1_000, said.units));
  const media = isoBox("mdia", time, isoBox("hdlr", handler), isoBox("minf", table));
  return isoBox("trak", isoBox("tkhd", header), of.more ?? Buffer.alloc(0), media);
}

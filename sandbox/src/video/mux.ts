import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
} from "mediabunny";
import type { SoundTrack } from "./sound-track.ts";
import { VIDEO_COLOURS } from "./yuv.ts";

const DATED_BOXES = ["mvhd", "tkhd", "mdhd"];
const MAX_TRACKS = 2;

/** Removes creation dates from a video, so that the same request gives the same bytes. Works in place. */
function withoutDates(video: Uint8Array): Uint8Array {
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

/** Both tracks in one file with its index first, so that a player can start before it has everything. */
export async function muxVideo(
  pictures: Uint8Array,
  sound: SoundTrack | null,
  durationSeconds: number,
): Promise<Uint8Array> {
  const input = new Input({ formats: [MP4], source: new BufferSource(pictures) });
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
  try {
    const track = await input.getPrimaryVideoTrack();
    const config = await track?.getDecoderConfig();
    if (!track || !config) throw new Error("the encoder made no track");
    const video = new EncodedVideoPacketSource("avc");
    output.addVideoTrack(video);
    const audio = sound === null ? null : await audioSourceOf(sound);
    if (audio !== null) output.addAudioTrack(audio.source);
    await output.start();
    await copyVideo(track, video, { ...config, colorSpace: VIDEO_COLOURS });
    if (sound !== null && audio !== null) await copyAudio(sound, audio, durationSeconds);
    await output.finalize();
    if (target.buffer === null) throw new Error("nothing was written");
    return withoutDates(new Uint8Array(target.buffer));
  } finally {
    input.dispose();
    sound?.close();
  }
}

type Audio = { readonly source: EncodedAudioPacketSource; readonly config: AudioDecoderConfig };

async function audioSourceOf({ track }: SoundTrack): Promise<Audio | null> {
  const [codec, config] = [await track.getCodec(), await track.getDecoderConfig()];
  return codec === null || config === null ? null : { source: new EncodedAudioPacketSource(codec), config };
}

/** The encoder's file marks every frame as a keyframe; a player that believes it could not seek. */
async function copyVideo(
  track: InputVideoTrack,
  video: EncodedVideoPacketSource,
  config: VideoDecoderConfig,
): Promise<void> {
  const packets = new EncodedPacketSink(track);
  for (
    let packet: EncodedPacket | null = await packets.getFirstPacket();
    packet !== null;
    packet = await packets.getNextPacket(packet)
  ) {
    const type = (await track.determinePacketType(packet)) ?? packet.type;
    await video.add(packet.clone({ type }), { decoderConfig: config });
  }
  video.close();
}

/** From its beginning, up to the end of the video. */
async function copyAudio(
  { packets }: SoundTrack,
  { source, config }: Audio,
  durationSeconds: number,
): Promise<void> {
  const first = await packets.getFirstPacket();
  const start = first?.timestamp ?? 0;
  for (let packet = first; packet !== null; packet = await packets.getNextPacket(packet)) {
    const timestamp = Math.max(0, packet.timestamp - start);
    if (timestamp >= durationSeconds) break;
    await source.add(packet.clone({ timestamp }), { decoderConfig: config });
  }
  source.close();
}

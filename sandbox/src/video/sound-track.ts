import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputAudioTrack } from "mediabunny";
import { encodePcmTrack } from "./pcm-track.ts";

/** A track to be copied into the video, packet by packet. */
export type SoundTrack = {
  readonly track: InputAudioTrack;
  readonly packets: EncodedPacketSink;
  close(): void;
};

/** Codecs that an MP4 may contain and browsers play; copied, not encoded again. */
const CARRIED: ReadonlySet<string> = new Set(["aac", "flac", "mp3", "opus"]);

/** Null if it has no sound, or none that a video can contain. */
export async function openSoundTrack(bytes: Uint8Array, maxSeconds: number): Promise<SoundTrack | null> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  try {
    const track = await input.getPrimaryAudioTrack();
    const codec = await track?.getCodec();
    if (track && codec && CARRIED.has(codec)) {
      return { track, packets: new EncodedPacketSink(track), close: () => input.dispose() };
    }
    const packed = track ? await encodePcmTrack(track, maxSeconds) : null;
    input.dispose();
    return packed === null ? null : await openSoundTrack(packed, maxSeconds);
  } catch {
    // Not a known container.
    input.dispose();
    return null;
  }
}

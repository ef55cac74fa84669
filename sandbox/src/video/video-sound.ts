import type { GivenFile, VideoRequest } from "../../../gateway/src/contract/index.ts";
import { renderMusic } from "../music/render-music.ts";
import { openSoundTrack, type SoundTrack } from "./sound-track.ts";

type VideoSound = { readonly track: SoundTrack | null; readonly notes: readonly string[] };

/** The caller's own audio first, then that of the edited video, then music made from the prompt. */
export async function chooseSound(request: VideoRequest<GivenFile>): Promise<VideoSound> {
  const notes: string[] = [];
  const maxSeconds = request.durationMs / 1000;
  if (request.referenceAudio !== null) {
    const track = await openSoundTrack(request.referenceAudio.bytes, maxSeconds);
    if (track !== null) return { track, notes };
    notes.push("Reference audio received; only WAV, FLAC, MP3, AAC and Opus can go into the video");
  }
  if (request.referenceVideo !== null && request.keepAudio) {
    const track = await openSoundTrack(request.referenceVideo.bytes, maxSeconds);
    if (track !== null) return { track, notes };
  }
  if (!request.sound) return { track: null, notes };
  const music = await renderMusic({
    kind: "music",
    request: {
      prompt: request.prompt ?? "",
      style: null,
      durationMs: request.durationMs,
      referenceImages: [],
    },
  });
  return { track: await openSoundTrack(music.bytes, maxSeconds), notes };
}

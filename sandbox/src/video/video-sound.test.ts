import { describe, expect, test } from "bun:test";
import { createOggEncoder } from "wasm-media-encoders";
import { SMALL_REQUEST, silentFlac, toneWave } from "./testing.ts";
import { chooseSound } from "./video-sound.ts";

async function soundOf(bytes: Uint8Array) {
  const referenceAudio = { bytes, mediaType: "audio/x" };
  const { track, notes } = await chooseSound({ ...SMALL_REQUEST, referenceAudio });
  const codec = (await track?.track.getCodec()) ?? null;
  track?.close();
  return { codec, notes };
}

async function vorbis(): Promise<Uint8Array> {
  const encoder = await createOggEncoder();
  encoder.configure({ channels: 1, sampleRate: 44_100, vbrQuality: 3 });
  const start = encoder.encode([new Float32Array(44_100)]).slice();
  return new Uint8Array([...start, ...encoder.finalize()]);
}

describe("the caller's audio", () => {
  test("goes into the video unchanged if it is FLAC, and as MP3 if it is WAV", async () => {
    expect(await soundOf(silentFlac(12))).toEqual({ codec: "flac", notes: [] });
    expect(await soundOf(toneWave(1))).toEqual({ codec: "mp3", notes: [] });
  });

  test("is left out with a note if it is Vorbis or unreadable", async () => {
    const notes = ["Reference audio received; only WAV, FLAC, MP3, AAC and Opus can go into the video"];
    expect(await soundOf(await vorbis())).toEqual({ codec: null, notes });
    expect(await soundOf(new Uint8Array(64).fill(7))).toEqual({ codec: null, notes });
  });
});

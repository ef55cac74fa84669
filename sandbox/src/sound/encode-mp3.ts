import { lazily } from "../../../gateway/src/kit/index.ts";
import type { Pcm } from "./pcm.ts";

export const MP3_MEDIA_TYPE = "audio/mpeg";
/** Input per call, so that the encoder's memory stays small for any length. */
const CHUNK_SECONDS = 4;

type Mp3Bitrate = 64 | 96 | 128 | 160 | 192;
type Channels = Pcm["channels"];

type Mp3Encoder = {
  add(channels: Channels): void;
  /** Ends the encoding; nothing may be added afterwards. */
  finish(): { readonly bytes: Uint8Array; readonly durationMs: number };
};

const compiledLame = lazily(async () => {
  const path = Bun.resolveSync("wasm-media-encoders/wasm/mp3", import.meta.dir);
  return WebAssembly.compile(await Bun.file(path).arrayBuffer());
});

/** A constant bit rate, so that players know the length of a file without a table in its first frame. */
export async function createMp3Encoder(sound: {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly bitrate: Mp3Bitrate;
}): Promise<Mp3Encoder> {
  const { createEncoder } = await import("wasm-media-encoders");
  const encoder = await createEncoder(MP3_MEDIA_TYPE, await compiledLame());
  encoder.configure(sound);
  const pieces: Uint8Array[] = [];
  const chunk = sound.sampleRate * CHUNK_SECONDS;
  let samples = 0;
  return {
    add(channels) {
      samples += channels[0].length;
      for (let from = 0; from < channels[0].length; from += chunk) {
        // The encoder reuses the returned buffer in the next call.
        pieces.push(encoder.encode(channels.map((each) => each.subarray(from, from + chunk))).slice());
      }
    },
    finish() {
      pieces.push(encoder.finalize().slice());
      const durationMs = Math.round((samples * 1000) / sound.sampleRate);
      return { bytes: new Uint8Array(Buffer.concat(pieces)), durationMs };
    },
  };
}

import { expect } from "bun:test";
import type { CallContext, Provider, VideoRequest } from "../../contract/index.ts";
import { writeWav } from "../../media/wav.ts";
import {
  createOutboundFetch,
  createPublicFetch,
  type PublicFetch,
  type WaysOut,
} from "../../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";

/** The smallest PNG: one pixel, with any size in its header. */
export function tinyPng(width = 1, height = 1): Uint8Array {
  const bytes = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  );
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const FRAME_BYTES = 417;

/** Silence in whole frames of 128 kbit/s at 44.1 kHz, 26.1 ms each. */
export function silentMp3(frames = 4): Uint8Array {
  const bytes = new Uint8Array(frames * FRAME_BYTES);
  for (let at = 0; at < bytes.length; at += FRAME_BYTES) bytes.set([0xff, 0xfb, 0x90, 0x00], at);
  return bytes;
}

export function silentWav(durationMs = 100, sampleRate = 24_000): Uint8Array {
  return writeWav({ sampleRate, channels: 1 }, [new Uint8Array((sampleRate / 1_000) * durationMs * 2)]);
}

/** The headers of a video, and one byte of content. Its tracks state their kind only if `sound` is given. */
export function tinyMp4({
  width = 640,
  height = 480,
  durationMs = 4_000,
  sound = null as boolean | null,
} = {}): Uint8Array {
  const movie = Buffer.alloc(100);
  movie.writeUInt32BE(1_000, 12);
  movie.writeUInt32BE(durationMs, 16);
  const track = Buffer.alloc(84);
  track.writeUInt16BE(width, 76);
  track.writeUInt16BE(height, 80);
  const picture = [box("tkhd", track), ...(sound === null ? [] : [handler("vide")])];
  const tracks = [box("trak", Buffer.concat(picture)), ...(sound ? [box("trak", handler("soun"))] : [])];
  return Buffer.concat([
    box("ftyp", Buffer.from("isom\0\0\0\0isommp41")),
    box("moov", Buffer.concat([box("mvhd", movie), ...tracks])),
    box("mdat", Buffer.alloc(1)),
  ]);
}

function handler(kind: string): Buffer {
  return box("mdia", box("hdlr", Buffer.from(`${"\0".repeat(8)}${kind}${"\0".repeat(13)}`)));
}

/** An MP4 box. */
export function box(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.byteLength + 8, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

/** Addresses that no response may send us to; `inside.test` is recognised by its name alone. */
export const ADDRESSES_INSIDE = [
  "http://169.254.169.254/p.png",
  "https://10.0.0.8/p.png",
  "https://[::ffff:127.0.0.1]/p.png",
  "file:///etc/passwd",
  "https://inside.test/p.png",
];

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

type SentCall = {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

export type MediaVendor = {
  readonly url: string;
  readonly sent: SentCall[];
  provider(factory: MediaFactory, more?: Partial<ProviderSettings>): Provider;
  close(): void;
};

type MediaFactory = (settings: ProviderSettings, ways: WaysOut) => Omit<Provider, "name">;

/** A vendor on this machine that responds with `answer` and records what it was sent. `hosted` fetches other files. */
export function startMediaVendor(
  answer: (call: SentCall, url: string) => Response | Promise<Response>,
  { hosted, firstByteMs = 5_000 }: { readonly hosted?: PublicFetch; readonly firstByteMs?: number } = {},
): MediaVendor {
  const sent: SentCall[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search, origin } = new URL(request.url);
      const text = await request.text();
      const call: SentCall = {
        method: request.method,
        path: `${pathname}${search}`,
        headers: request.headers,
        body: text === "" ? {} : JSON.parse(text),
      };
      sent.push(call);
      return answer(call, origin);
    },
  });
  const host = `127.0.0.1:${server.port}`;
  const ways: WaysOut = {
    outbound: createOutboundFetch({
      timeouts: { connectMs: 2_000, firstByteMs, idleMs: 5_000 },
      maxBodyBytes: 64 << 20,
      provider: "test",
    }),
    fetchPublic: hosted ?? createPublicFetch({ privateHosts: [host] }),
  };
  const settings = { name: "acme", kind: null, baseUrl: `http://${host}`, apiKey: "secret-key-1" };
  return {
    url: `http://${host}`,
    sent,
    provider: (factory, more) => ({ name: "acme", ...factory({ ...settings, ...more }, ways) }),
    close: () => void server.stop(true),
  };
}

export function callContext(signal: AbortSignal = new AbortController().signal): CallContext {
  return { requestId: "test", signal };
}

export function videoRequest(more: Partial<VideoRequest> = {}): VideoRequest {
  return {
    task: "text_to_video",
    prompt: "a calm wave",
    durationMs: 4_000,
    resolution: "720p",
    aspectRatio: "16:9",
    sound: false,
    draft: false,
    keepAudio: false,
    seed: null,
    referenceImage: null,
    referenceVideo: null,
    referenceAudio: null,
    ...more,
  };
}

/** No part of the vendor's key, host or ids is shown. */
export function expectWashed(message: string): void {
  expect(message).not.toMatch(/secret-key-1|127\.0\.0\.1|localhost|req_[0-9a-z]+/);
  expect(message.length).toBeLessThanOrEqual(300);
}

import type { Provider } from "../../../contract/index.ts";
import { createPublicFetch, withAllowedHosts } from "../../../outbound/index.ts";
import { testFetch } from "../../../outbound/testing.ts";
import type { ProviderSettings } from "../../settings.ts";
import { WIRE_VENDORS, type WireVendorName } from "../../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "../provider.ts";

export const TEST_KEY = "sk-canary-0123456789";

type Seen = {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
};

export type MediaServer = {
  readonly baseUrl: string;
  readonly seen: Seen[];
  provider(kind?: WireVendorName, settings?: Partial<ProviderSettings>): Provider;
  close(): Promise<void>;
};

/** A server of this wire that answers as the test says. Files may be fetched from its own host, as in the registry. */
export function startMediaServer(answer: (seen: Seen) => Response | Promise<Response>): MediaServer {
  const seen: Seen[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = request.method === "POST" ? ((await request.json()) as Seen["body"]) : {};
      const each = { path: `${pathname}${search}`, body, headers: request.headers };
      seen.push(each);
      return answer(each);
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return {
    baseUrl: `http://${host}/v1`,
    seen,
    provider(kind = "openai-wire", settings = {}) {
      const whole = { name: "acme", kind, baseUrl: `http://${host}/v1`, apiKey: TEST_KEY, ...settings };
      const fetchPublic = withAllowedHosts(createPublicFetch(), [host]);
      return createOpenAiWireProvider(whole, WIRE_VENDORS[kind], { outbound: testFetch(), fetchPublic });
    },
    close: () => server.stop(true),
  };
}

/** A PNG whose header has these dimensions, with hardly any data. */
export function pngBytes(width = 1024, height = 1024): Uint8Array<ArrayBuffer> {
  const chunks = `\0\0\0\x0dIHDR${"\0".repeat(17)}\0\0\0\x01IDAT\x78${"\0".repeat(4)}\0\0\0\0IEND${"\0".repeat(4)}`;
  const bytes = Uint8Array.from(`\x89PNG\r\n\x1a\n${chunks}`, (char) => char.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Frames of silence: layer III, 128 kbit/s, 44.1 kHz, 26 ms each. */
export function mp3Bytes(frames: number, { tags = false } = {}): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  const length = frame.slice();
  length.set(Buffer.from("Info"), 36);
  const id3 = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 20, ...new Array(20).fill(0)]);
  const id3v1 = new Uint8Array(128);
  id3v1.set(Buffer.from("TAG"));
  const sound = Array.from({ length: frames }, () => frame);
  return new Uint8Array(Buffer.concat(tags ? [id3, length, ...sound, id3v1] : sound));
}

import { type ChatEvent, type ChatRequest, type Provider, ProviderFailure } from "../../contract/index.ts";
import { createOutboundFetch } from "../../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";
import type { AiSdkDeps } from "./library-fetch.ts";
import { type AiSdkQuirks, ORDINARY } from "./quirks.ts";

/** A provider that accepts everything. */
export const QUIRKS: AiSdkQuirks = {
  ...ORDINARY,
  namespace: "acme",
  signatureField: "signature",
  formBy: () => "field",
  takesInResult: ({ mediaType }) => mediaType.startsWith("image"),
  cacheMark: { keep: true },
  reasoning: () => ({}),
};

type Sent = {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** The raw body. */
  readonly text: string;
};

/** A provider on this machine that answers every call with `respond` and records what it was sent. */
export type TestUpstream = {
  readonly sent: Sent[];
  readonly gone: Promise<void>;
  provider(factory: (settings: ProviderSettings, deps: AiSdkDeps) => Provider): Provider;
  close(): void;
};

export function startTestUpstream(respond: () => Response): TestUpstream {
  const sent: Sent[] = [];
  const gone = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      request.signal.addEventListener("abort", () => gone.resolve());
      const text = await request.text();
      const body = JSON.parse(text) as Record<string, unknown>;
      sent.push({ path: new URL(request.url).pathname, headers: request.headers, body, text });
      return respond();
    },
  });
  const outbound = createOutboundFetch({
    timeouts: { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000 },
    maxBodyBytes: 64 << 20,
    provider: "test",
  });
  return {
    sent,
    gone: gone.promise,
    provider: (factory) =>
      factory(
        { name: "acme", kind: null, baseUrl: `http://127.0.0.1:${server.port}/base`, apiKey: "secret-key-1" },
        { outbound },
      ),
    close: () => void server.stop(true),
  };
}

export function events(...list: readonly object[]): () => Response {
  const text = list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  return () => new Response(text, { headers: { "content-type": "text/event-stream" } });
}

export const HELLO: ChatRequest = { messages: [{ role: "user", content: "Hello" }], maxOutputTokens: 4_000 };

/** All events of one call, or the failure that it ended with. */
export async function callOf(
  provider: Provider,
  request: Partial<ChatRequest> = {},
  options: { readonly model?: string; readonly signal?: AbortSignal } = {},
): Promise<ChatEvent[] | ProviderFailure> {
  const context = { requestId: "test", signal: options.signal ?? new AbortController().signal };
  const collected: ChatEvent[] = [];
  try {
    const stream = provider.text?.chat(options.model ?? "some-model", { ...HELLO, ...request }, context);
    for await (const batch of stream ?? []) collected.push(...batch);
    return collected;
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    throw error;
  }
}

/** Every outcome twice: made in the process of the caller, and over the wire, through the adapters for vendors. */
import { afterAll, beforeAll, expect } from "bun:test";
import { type Provider, ProviderFailure } from "../../../gateway/src/contract/index.ts";
import { createOutboundFetch, createPublicFetch } from "../../../gateway/src/outbound/index.ts";
import { callContext } from "../../../gateway/src/providers/media/media-testing.ts";
import { createOpenAiWireProvider } from "../../../gateway/src/providers/openai-wire/index.ts";
import { SIZED_IMAGES } from "../../../gateway/src/providers/openai-wire/media/images-habits.ts";
import { MP3_SPEECH } from "../../../gateway/src/providers/openai-wire/media/speech-habits.ts";
import { wireVendor } from "../../../gateway/src/providers/openai-wire/vendor.ts";
import { createSandboxQueue } from "../../../gateway/src/providers/queues/sandbox-queue.ts";
import { createRenderer } from "../media/create-renderer.ts";
import { createSandboxProvider } from "../provider.ts";
import { estimator, KEY, startTestServer, type TestServer } from "./testing.ts";

/** The sandbox as one of the vendors of OpenAI's wire. */
const ROW = wireVendor({
  reasoningEcho: "reasoning_details",
  toolResultParts: true,
  resultMedia: "within",
  allowedTools: true,
  images: {
    ...SIZED_IMAGES,
    shape: "ratio",
    tierNames: { "1k": "1k", "2k": "2k", "4k": "4k" },
    formats: ["png", "jpeg", "webp"],
    takesFinish: true,
  },
  speech: { ...MP3_SPEECH, takesLines: true },
});

let ways: readonly [Provider, Provider];

/** In the process, and over the wire; both are made for the tests of the file that calls this, and closed behind them. */
export function openBothWays(): void {
  const renderer = createRenderer();
  let server: TestServer;
  beforeAll(() => {
    server = startTestServer();
    const { host } = new URL(server.url);
    const reached = {
      outbound: createOutboundFetch({
        timeouts: { connectMs: 2_000, firstByteMs: 20_000, idleMs: 20_000 },
        maxBodyBytes: 64 << 20,
        provider: "sandbox",
      }),
      fetchPublic: createPublicFetch({ privateHosts: [host] }),
    };
    const settings = { name: "sandbox", kind: null, apiKey: KEY };
    const overWire = {
      ...createOpenAiWireProvider({ ...settings, baseUrl: `${server.url}/v1` }, ROW, reached),
      ...createSandboxQueue({ ...settings, baseUrl: server.url }, reached),
    };
    ways = [createSandboxProvider(estimator, renderer), overWire];
  });
  afterAll(async () => {
    await server.close();
    await renderer.close();
  });
}

/** What the caller notices of a failure. */
export function failureOf(error: unknown) {
  if (!(error instanceof ProviderFailure)) throw error;
  const { kind, publicMessage, detail } = error;
  return { kind, publicMessage, reason: detail.reason, retryAfterSeconds: detail.retryAfterSeconds };
}

type Ending<Made> = { readonly made?: Made; readonly failure?: ReturnType<typeof failureOf> };

async function ending<Made>(work: () => Promise<Made>): Promise<Ending<Made>> {
  try {
    return { made: await work() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** Both outcomes; the first is that of the process. */
export async function both<Made>(make: (provider: Provider) => Promise<Made>) {
  const [inProcess, overWire] = await Promise.all(ways.map((provider) => ending(() => make(provider))));
  return [inProcess, overWire] as const;
}

/** The same outcome both ways, which is returned so that a case can say what it is. */
export async function expectSame<Made>(make: (provider: Provider) => Promise<Made>): Promise<Ending<Made>> {
  const [inProcess, overWire] = await both(make);
  expect(overWire).toEqual(inProcess);
  return inProcess ?? {};
}

/** Each call has an id of its own. */
export const context = () => ({ ...callContext(), requestId: crypto.randomUUID() });

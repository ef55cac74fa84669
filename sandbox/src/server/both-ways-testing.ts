/** Every outcome twice: made by the parts of the sandbox, and over the wire, through the adapters for vendors. */
import { afterAll, beforeAll, expect } from "bun:test";
import { type Provider, ProviderFailure, type VideoRequest } from "../../../gateway/src/contract/index.ts";
import type { StopSignal } from "../../../gateway/src/kit/index.ts";
import { createProviders } from "../../../gateway/src/providers/index.ts";
import { callContext } from "../../../gateway/src/providers/media/media-testing.ts";
import { followDirectives } from "../directives/follow-directives.ts";
import { answerChat } from "../engine.ts";
import type { Renderer } from "../media/renderer.ts";
import { createRenderer } from "../render/create-renderer.ts";
import { createSandboxWork } from "../video/sandbox-video.ts";
import { estimator, KEY, startTestServer, type TestServer } from "./testing.ts";

/** The parts that a client of the wire reaches. */
function partsOf(renderer: Renderer): Provider {
  const work = createSandboxWork({
    nowMs: Date.now,
    render: (request: VideoRequest, signal: StopSignal) =>
      renderer.render({ kind: "video", request }, signal),
  });
  return {
    name: "parts",
    text: {
      chat: (_model, request, context) => answerChat(estimator, request, context),
      onDisconnect: "stop",
    },
    image: {
      async makeImages(_model, { n, ...request }, { signal }) {
        const [prompt = ""] = await followDirectives([request.prompt], signal);
        const orders = Array.from({ length: n }, (_, index) => ({ request: { ...request, prompt }, index }));
        return Promise.all(orders.map((order) => renderer.render({ kind: "image", ...order }, signal)));
      },
    },
    speech: {
      async speak(_model, { lines, speed }, { signal }) {
        const written = lines.map(({ text }) => text);
        const texts = await followDirectives(written, signal);
        const spoken = lines.map(({ voice }, at) => ({ voice, text: texts[at] ?? "" }));
        return renderer.render({ kind: "speech", request: { lines: spoken, speed } }, signal);
      },
    },
    music: {
      async compose(_model, request, { signal }) {
        const [prompt = ""] = await followDirectives([request.prompt], signal);
        return renderer.render({ kind: "music", request: { ...request, prompt } }, signal);
      },
    },
    video: {
      knowsOurId: true,
      begin: async (_model, request, { requestId }) => work.begin(requestId, request),
      poll: (_model, { operation, request }) => work.poll(operation, request),
    },
  };
}

let ways: readonly [Provider, Provider];

/** By the parts, and over the wire; both are made for the tests of the file that calls this, and closed behind them. */
export function openBothWays(): void {
  const renderer = createRenderer();
  let server: TestServer;
  beforeAll(() => {
    server = startTestServer();
    const settings = {
      name: "sandbox",
      kind: "sandbox",
      baseUrl: `${server.url}/v1`,
      apiKey: KEY,
      settingNames: { apiKey: "key", baseUrl: "url" },
    };
    const timeouts = { connectMs: 2_000, firstByteMs: 20_000, idleMs: 20_000 };
    const [overWire] = createProviders(new Map([["sandbox", settings]]), { timeouts });
    if (overWire === undefined) throw new Error("there is no adapter");
    ways = [partsOf(renderer), overWire];
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

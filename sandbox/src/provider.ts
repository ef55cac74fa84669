import type { CallContext, ChatRequest, Provider, TextProvider } from "../../gateway/src/contract/index.ts";
import { refuseUnpriced } from "../../gateway/src/providers/unpriced-fields.ts";
import type { TokenEstimator } from "./engine.ts";
import type { Renderer } from "./media/renderer.ts";
import { createSandboxMusic } from "./music/sandbox-music.ts";
import { createSandboxPictures } from "./pictures/sandbox-pictures.ts";
import { createSandboxSpeech } from "./speech/sandbox-speech.ts";
import { createSandboxVideo } from "./video/sandbox-video.ts";

/**
 * Needs no key, no network and no settings: Bursar does its whole job with nothing configured. Media are made by the
 * renderer, which its owner closes.
 */
export function createSandboxProvider(estimator: TokenEstimator, renderer: Renderer): Provider {
  return {
    name: "sandbox",
    text: createSandboxChat(estimator),
    image: createSandboxPictures(renderer),
    speech: createSandboxSpeech(renderer),
    music: createSandboxMusic(renderer),
    video: createSandboxVideo({ renderer, nowMs: Date.now }),
  };
}

/** The engine is a tenth of our code, so it is loaded on first use: most gateways never need it. */
function createSandboxChat(estimator: TokenEstimator): TextProvider {
  let engine: typeof import("./engine.ts") | null = null;

  async function* loadAndAnswer(request: ChatRequest, context: CallContext) {
    engine = await import("./engine.ts");
    yield* engine.answerChat(estimator, request, context);
  }

  return {
    check: (_upstreamModel, wire) => refuseUnpriced(wire),
    chat: (_upstreamModel, request, context) =>
      engine === null ? loadAndAnswer(request, context) : engine.answerChat(estimator, request, context),
    onDisconnect: "stop",
  };
}

import type { Provider } from "../contract.ts";
import { answerChat, type TokenEstimator } from "./engine.ts";
import { createSandboxFilm } from "./film/sandbox-film.ts";
import type { Renderer } from "./media/renderer.ts";
import { createSandboxMusic } from "./music/sandbox-music.ts";
import { createSandboxPictures } from "./pictures/sandbox-pictures.ts";
import { createSandboxSpeech } from "./speech/sandbox-speech.ts";

/**
 * Needs no key, no network and no settings: with nothing configured Bursar still does its whole job. Media are made
 * by the renderer, whose owner closes it.
 */
export function createSandboxProvider(estimator: TokenEstimator, renderer: Renderer): Provider {
  return {
    name: "sandbox",
    text: {
      chat: (_upstreamModel, request, context) => answerChat(estimator, request, context),
      onDisconnect: "stop",
    },
    image: createSandboxPictures(renderer),
    speech: createSandboxSpeech(renderer),
    music: createSandboxMusic(renderer),
    video: createSandboxFilm({ renderer, nowMs: Date.now }),
  };
}

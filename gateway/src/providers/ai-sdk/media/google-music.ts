import {
  type CallContext,
  inMemory,
  type MusicProvider,
  type MusicRequest,
} from "../../../contract/index.ts";
import { failureOfResponse, type OutboundFetch, readJson } from "../../../outbound/index.ts";
import { createEmbeddedMedia, type Embedding } from "../../media/embedded-media.ts";
import { madeFile } from "../../media/made-file.ts";
import { musicPrompt } from "../../media/music-prompt.ts";
import type { ProviderSettings } from "../../settings.ts";
import { emptyResult, geminiWord } from "./empty-result.ts";

/** Fits several minutes of MP3 in base64. */
const MAX_ANSWER_BYTES = 96 << 20;

/** Lyria, through the call that all Gemini models share; the library has no music models. */
export function createGoogleMusic(
  settings: ProviderSettings,
  { outbound, baseUrl }: { readonly outbound: OutboundFetch; readonly baseUrl: string },
): MusicProvider {
  const embedded = createEmbeddedMedia();
  const headers = {
    "content-type": "application/json",
    ...(settings.apiKey === null ? {} : { "x-goog-api-key": settings.apiKey }),
    ...settings.headers,
  };

  async function ask(upstreamModel: string, request: MusicRequest, { signal }: CallContext) {
    const url = `${baseUrl}/models/${encodeURIComponent(upstreamModel)}:generateContent`;
    const embedding = embedded.open();
    try {
      const body = embedded.bodyOf(JSON.stringify(encodeSong(request, embedding)));
      const response = await outbound(url, { method: "POST", headers, body, isSentOnce: true, signal });
      if (!response.ok) throw await failureOfResponse(response);
      return await readJson(response, MAX_ANSWER_BYTES);
    } finally {
      embedding.close();
    }
  }

  return {
    decidesLength: () => true,
    async compose(upstreamModel, request, context) {
      return madeFile(decodeSound(await ask(upstreamModel, request, context)), "audio");
    },
  };
}

function encodeSong(request: MusicRequest, { base64Of }: Embedding) {
  const images = request.referenceImages.map((image) => ({
    inlineData: { mimeType: image.mediaType, data: base64Of(inMemory(image)) },
  }));
  return {
    contents: [{ role: "user", parts: [{ text: musicPrompt(request, { saysLength: true }) }, ...images] }],
    generationConfig: { responseModalities: ["AUDIO", "TEXT"] },
  };
}

type Answer = {
  readonly candidates?: readonly {
    readonly content?: { readonly parts?: readonly { readonly inlineData?: { readonly data?: unknown } }[] };
  }[];
};

function decodeSound(answer: unknown): Uint8Array {
  const { candidates } = (answer ?? {}) as Answer;
  const candidate = Array.isArray(candidates) ? candidates[0] : undefined;
  const parts = candidate?.content?.parts;
  for (const part of Array.isArray(parts) ? parts : []) {
    const data = part?.inlineData?.data;
    if (typeof data === "string" && data !== "") return Buffer.from(data, "base64");
  }
  throw emptyResult("sound", geminiWord(answer));
}

import type { SpeechModelV4, SpeechModelV4CallOptions } from "@ai-sdk/provider";
import type { CallContext, SpeechProvider, SpeechRequest, SpokenLine } from "../../../contract/index.ts";
import { realSignal } from "../../../kit/index.ts";
import type { PcmFormat } from "../../../media/index.ts";
import { joinWav, refuseUnlessSamples } from "../../media/join-wav.ts";
import { madeFile } from "../../media/made-file.ts";
import { sayInTurn, turnsOf } from "../../media/spoken-turns.ts";
import { emptyResult } from "./empty-result.ts";
import { callModel, rejected } from "./model-call.ts";

type SpeechModel = Pick<SpeechModelV4, "doGenerate">;

/** The vendor-specific part of one library call. */
export type SpeechCall = Pick<
  SpeechModelV4CallOptions,
  "text" | "voice" | "outputFormat" | "speed" | "providerOptions"
>;

/** `isPart`: one of several that will be joined, so it must be uncompressed. */
export type SpokenManner = Pick<SpeechRequest, "speed" | "firstVoice"> & { readonly isPart: boolean };

type AiSdkSpeechOptions = {
  load(): Promise<(modelId: string) => SpeechModel>;
  encode(line: SpokenLine, more: SpokenManner): SpeechCall;
  /** Encodes all voices into one call; null if the vendor cannot do that. */
  encodeTogether?(upstreamModel: string, request: SpeechRequest): SpeechCall | null;
  /** The finish reason of an empty answer; null if it has none. */
  wordOf?(answer: unknown): string | null;
  /** The format of a part's raw samples; `wav` if parts have their own header. */
  readonly parts: PcmFormat | "wav";
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
};

export function createAiSdkSpeechProvider(options: AiSdkSpeechOptions): SpeechProvider {
  async function ask(model: SpeechModel, call: SpeechCall, context: CallContext) {
    const { audio, response } = await callModel(context, options.secrets, () =>
      model.doGenerate({ ...call, abortSignal: realSignal(context.signal) }),
    );
    if (audio.length === 0) throw emptyResult("sound", options.wordOf?.(response.body) ?? null);
    const isBody = typeof audio !== "string";
    return {
      bytes: isBody ? audio : Buffer.from(audio, "base64"),
      // If the audio is inside JSON, the header does not describe it.
      contentType: isBody ? response.headers?.["content-type"] : undefined,
    };
  }

  async function sayPart(model: SpeechModel, call: SpeechCall, context: CallContext): Promise<Uint8Array> {
    const { bytes, contentType } = await ask(model, call, context);
    if (options.parts !== "wav") refuseUnlessSamples(bytes, contentType);
    return bytes;
  }

  return {
    async speak(upstreamModel, request, context) {
      const { speed, firstVoice } = request;
      const lines = turnsOf(request.lines);
      const [first] = lines;
      if (first === undefined) throw rejected("There is no text to speak.");
      const models = await callModel(context, options.secrets, options.load);
      const model = models(upstreamModel);
      const alone =
        lines.length === 1
          ? options.encode(first, { speed, firstVoice, isPart: false })
          : options.encodeTogether?.(upstreamModel, { lines, speed });
      if (alone) return madeFile((await ask(model, alone, context)).bytes, "audio");
      const calls = lines.map((line) => options.encode(line, { speed, firstVoice, isPart: true }));
      const parts = await sayInTurn(calls, (call) => sayPart(model, call, context));
      return madeFile(joinWav(parts, options.parts), "audio");
    },
  };
}

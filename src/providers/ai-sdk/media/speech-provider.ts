import type { SpeechModelV4, SpeechModelV4CallOptions } from "@ai-sdk/provider";
import { realSignal } from "../../../kit/index.ts";
import type { CallContext } from "../../contract.ts";
import { madeFile } from "../../made-file.ts";
import type { SpeechProvider, SpeechRequest, SpokenLine } from "../../media-contract.ts";
import { sayInTurn, turnsOf } from "../../spoken-turns.ts";
import type { PcmFormat } from "../../wav.ts";
import { joinParts } from "./join-parts.ts";
import { callModel, rejected } from "./model-call.ts";
import { noneMade } from "./none-made.ts";

type SpeechModel = Pick<SpeechModelV4, "doGenerate">;

/** One call of the library, as far as a vendor decides about it. */
export type SpeechCall = Pick<
  SpeechModelV4CallOptions,
  "text" | "voice" | "outputFormat" | "speed" | "providerOptions"
>;

export type AiSdkSpeechOptions = {
  load(): Promise<(modelId: string) => SpeechModel>;
  /** `isPart`: one of several that are joined, so it must come without compression. */
  encode(line: SpokenLine, more: { readonly speed: number; readonly isPart: boolean }): SpeechCall;
  /** All voices in one call, where the vendor can; null where it cannot. */
  encodeTogether?(upstreamModel: string, request: SpeechRequest): SpeechCall | null;
  /** How an answer with nothing in it says that it ended; null where it does not. */
  wordOf?(answer: unknown): string | null;
  /** What the bare samples of a part are; `wav` where parts say it themselves; null: one voice to a call. */
  readonly parts: PcmFormat | "wav" | null;
};

export function createAiSdkSpeechProvider(options: AiSdkSpeechOptions): SpeechProvider {
  async function say(model: SpeechModel, call: SpeechCall, context: CallContext): Promise<Uint8Array> {
    const { audio, response } = await callModel(context, () =>
      model.doGenerate({ ...call, abortSignal: realSignal(context.signal) }),
    );
    if (audio.length === 0) throw noneMade("sound", options.wordOf?.(response.body) ?? null);
    return typeof audio === "string" ? Buffer.from(audio, "base64") : audio;
  }

  return {
    async speak(upstreamModel, request, context) {
      const { speed } = request;
      const lines = turnsOf(request.lines);
      const [first] = lines;
      if (first === undefined) throw rejected("There is nothing to say.");
      const models = await callModel(context, options.load);
      const model = models(upstreamModel);
      const alone =
        lines.length === 1
          ? options.encode(first, { speed, isPart: false })
          : options.encodeTogether?.(upstreamModel, { lines, speed });
      if (alone) return madeFile(await say(model, alone, context), "audio");
      if (options.parts === null) throw rejected("This model reads in one voice only.");
      const calls = lines.map((line) => options.encode(line, { speed, isPart: true }));
      const parts = await sayInTurn(calls, (call) => say(model, call, context));
      return madeFile(joinParts(parts, options.parts), "audio");
    },
  };
}

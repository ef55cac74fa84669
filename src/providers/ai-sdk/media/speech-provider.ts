import type { SpeechModelV4, SpeechModelV4CallOptions } from "@ai-sdk/provider";
import type { CallContext } from "../../contract.ts";
import { madeFile } from "../../made-file.ts";
import type { SpeechProvider, SpeechRequest, SpokenLine } from "../../media-contract.ts";
import type { PcmFormat } from "../../wav.ts";
import { joinParts } from "./join-parts.ts";
import { callModel, rejected } from "./model-call.ts";

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
  /** What the bare samples of a part are; `wav` where parts say it themselves; null: one voice to a call. */
  readonly parts: PcmFormat | "wav" | null;
};

/** A scene of more turns than this is a play; each turn is a call. */
const MAX_PARTS = 64;
const MAX_AT_ONCE = 3;

export function createAiSdkSpeechProvider(options: AiSdkSpeechOptions): SpeechProvider {
  async function say(model: SpeechModel, call: SpeechCall, context: CallContext): Promise<Uint8Array> {
    const { audio } = await callModel(context, () =>
      model.doGenerate({ ...call, abortSignal: context.signal }),
    );
    return typeof audio === "string" ? Buffer.from(audio, "base64") : audio;
  }

  async function sayInTurn(
    model: SpeechModel,
    calls: readonly SpeechCall[],
    context: CallContext,
  ): Promise<readonly Uint8Array[]> {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < calls.length; at += MAX_AT_ONCE) {
      const round = calls.slice(at, at + MAX_AT_ONCE);
      const ends = await Promise.allSettled(round.map((call) => say(model, call, context)));
      for (const end of ends) {
        if (end.status === "rejected") throw end.reason;
        parts.push(end.value);
      }
    }
    return parts;
  }

  return {
    async speak(upstreamModel, request, context) {
      const { speed } = request;
      const lines = runsOf(request.lines);
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
      if (lines.length > MAX_PARTS) {
        throw rejected(`This model takes at most ${MAX_PARTS} changes of voice.`);
      }
      const calls = lines.map((line) => options.encode(line, { speed, isPart: true }));
      return madeFile(joinParts(await sayInTurn(model, calls, context), options.parts), "audio");
    },
  };
}

/** Lines of one voice that follow each other are one: fewer calls, and the voice keeps its breath. */
function runsOf(lines: readonly SpokenLine[]): readonly SpokenLine[] {
  const runs: SpokenLine[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last === undefined || last.voice !== line.voice) runs.push(line);
    else runs[runs.length - 1] = { voice: last.voice, text: `${last.text}\n${line.text}` };
  }
  return runs;
}

import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CallContext, ChatEvent, ChatRequest, TextProvider } from "../contract.ts";
import { createStreamDecoder } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import { failureOfError } from "./failure.ts";
import type { AiSdkQuirks } from "./quirks.ts";
import { createReadAhead } from "./read-ahead.ts";

/** What the library's package gives once it is loaded. */
export type AiSdkModels = {
  readonly quirks: AiSdkQuirks;
  languageModel(modelId: string): Pick<LanguageModelV4, "doStream">;
};

export type AiSdkTextOptions = {
  /** Called at the first call only: a package costs megabytes that an unused provider need not pay. */
  load(): Promise<AiSdkModels>;
  readonly onDisconnect: "stop" | "drain";
};

/**
 * One adapter for every provider of the AI SDK, at the level of its model classes: no retries, no
 * telemetry and no warnings on the console, which all live in the layer above them.
 */
export function createAiSdkTextProvider({ load, onDisconnect }: AiSdkTextOptions): TextProvider {
  let loading: Promise<AiSdkModels> | undefined;

  async function* chat(upstreamModel: string, request: ChatRequest, context: CallContext) {
    try {
      loading ??= load();
      yield* stream(await loading, { upstreamModel, request, context });
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      throw failureOfError(error);
    }
  }

  return { chat, onDisconnect };
}

type Call = {
  readonly upstreamModel: string;
  readonly request: ChatRequest;
  readonly context: CallContext;
};

async function* stream(
  { quirks, languageModel }: AiSdkModels,
  { upstreamModel, request, context }: Call,
): AsyncGenerator<readonly ChatEvent[]> {
  context.signal.throwIfAborted();
  const options = encodeRequest(upstreamModel, request, quirks);
  const answer = await languageModel(upstreamModel).doStream({ ...options, abortSignal: context.signal });
  const parts = createReadAhead(answer.stream);
  const decoder = createStreamDecoder(quirks);
  let isFinished = false;
  try {
    for (;;) {
      const batch = await parts.next();
      // An end without a finish is told by the same words as one without a reason.
      if (batch === null) return decoder.end();
      const events: ChatEvent[] = [];
      for (const part of batch) {
        decoder.push(part, events);
        if (events.at(-1)?.type === "finish") {
          isFinished = true;
          break;
        }
      }
      if (events.length > 0) yield events;
      if (isFinished) return;
    }
  } finally {
    parts.close(isFinished);
  }
}

import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { CallContext, ChatEvent, ChatRequest, TextProvider, WireRequest } from "../../contract/index.ts";
import { AssertionError, lazily, type StopSignal } from "../../kit/index.ts";
import { createStreamDecoder } from "./decode/decode-stream.ts";
import { createReadAhead, type ReadAhead } from "./decode/read-ahead.ts";
import { refuseBlankStops, stopsOf } from "./encode/blank-stops.ts";
import { encodeRequest } from "./encode/encode-request.ts";
import { withLeadingLetters } from "./encode/leading-letters.ts";
import { refuseInBody } from "./encode/refuse-in-body.ts";
import { failureOfError } from "./failure.ts";
import type { AiSdkQuirks } from "./quirks.ts";
import { isThinkingRefused, withoutReasoning } from "./refused-thinking.ts";

/** What the library's package provides once it is loaded. */
type AiSdkModels = {
  readonly quirks: AiSdkQuirks;
  languageModel(modelId: string): Pick<LanguageModelV4, "doStream">;
};

type AiSdkTextOptions = {
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
  /** Called on the first call only: a package costs megabytes, which an unused provider need not pay. */
  load(): Promise<AiSdkModels>;
  readonly onDisconnect: "stop" | "drain";
  /** Whether stop sequences may be blank. */
  readonly takesBlankStops?: boolean;
  readonly cachesBy?: TextProvider["cachesBy"];
};

/**
 * One adapter for every AI SDK provider, at the level of its model classes: no retries, no telemetry and no console
 * warnings, which all belong to the layer above.
 */
export function createAiSdkTextProvider({
  secrets,
  load,
  onDisconnect,
  takesBlankStops = true,
  cachesBy = () => null,
}: AiSdkTextOptions): TextProvider {
  const models = lazily(load);

  async function* ask(call: Call) {
    const { context, progress } = call;
    try {
      yield* stream(await models(), call, secrets);
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      throw !progress.isAnswered && isOwnFault(error) ? error : failureOfError(error, secrets);
    }
  }

  async function* chat(upstreamModel: string, request: ChatRequest, context: CallContext) {
    if (!takesBlankStops) refuseBlankStops(request.stop ?? []);
    const progress: Progress = { isAnswered: false };
    try {
      yield* ask({ upstreamModel, request, context, progress });
    } catch (error) {
      const forgetful = !progress.isAnswered && isThinkingRefused(error) ? withoutReasoning(request) : null;
      if (forgetful === null) throw error;
      yield* ask({ upstreamModel, request: forgetful, context, progress });
    }
  }

  function check(_upstreamModel: string, wire: WireRequest): void {
    refuseInBody(wire);
    if (!takesBlankStops) refuseBlankStops(stopsOf(wire));
  }

  return { check, chat, onDisconnect, cachesBy };
}

type Progress = { isAnswered: boolean };

/**
 * Before an answer, runtime errors concern the request that we built and say nothing of the provider: the outbound
 * fetch throws our own failures, and the library's errors have names of their own.
 */
function isOwnFault(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError || error instanceof AssertionError;
}

type Call = {
  readonly upstreamModel: string;
  readonly request: ChatRequest;
  readonly context: CallContext;
  readonly progress: Progress;
};

async function* stream(
  { quirks, languageModel }: AiSdkModels,
  { upstreamModel, request: given, context, progress }: Call,
  secrets: readonly string[],
): AsyncGenerator<readonly ChatEvent[]> {
  context.signal.throwIfAborted();
  const renamed = quirks.needsLeadingLetters ? withLeadingLetters(given) : null;
  const request = renamed?.request ?? given;
  const encoded = encodeRequest(upstreamModel, request, quirks);
  const line = createLine(context.signal);
  let parts: ReadAhead<LanguageModelV4StreamPart> | null = null;
  let isFinished = false;
  try {
    const answer = await languageModel(upstreamModel).doStream({
      ...encoded,
      abortSignal: line.signal,
      includeRawChunks: quirks.earlyInput !== null,
    });
    progress.isAnswered = true;
    context.onAnswered?.();
    parts = createReadAhead(answer.stream);
    const decoder = createStreamDecoder(quirks, { givenName: renamed?.givenName, secrets });
    while (!isFinished) {
      const batch = await parts.next();
      if (batch === null) return decoder.end();
      const events: ChatEvent[] = [];
      try {
        for (const part of batch) {
          decoder.push(part, events);
          isFinished = part.type === "finish";
          if (isFinished) break;
        }
      } finally {
        // Events before a failure are delivered, whether or not the network brought both in one read.
        if (events.length > 0) yield events;
      }
    }
  } finally {
    parts?.close(isFinished);
    line.end(isFinished);
  }
}

/**
 * The call's own abort signal. If the call ends before its finish, the connection is closed: the library leaves a
 * response open that begins with an error.
 */
function createLine(callSignal: StopSignal) {
  const controller = new AbortController();
  const hangUp = () => controller.abort(callSignal.reason);
  callSignal.addEventListener("abort", hangUp, { once: true });
  return {
    signal: controller.signal,
    end(isFinished: boolean): void {
      callSignal.removeEventListener("abort", hangUp);
      if (!isFinished) controller.abort();
    },
  };
}

import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import {
  brokenAnswer,
  type ChatEvent,
  type FinishReason,
  type ReportedInput,
  type ReportedUsage,
} from "../../../contract/index.ts";
import { wholeText } from "../../../kit/index.ts";
import { BlockLog } from "../../block-order.ts";
import { couldNotFinish, endingOf } from "../../finish-reasons.ts";
import { ownCallId } from "../../own-call-id.ts";
import { isUnreported } from "../counts/odd-counts.ts";
import { givenToolName } from "../encode/inherited-names.ts";
import { decodeErrorPart, unreadValue } from "../failure.ts";
import type { AiSdkQuirks } from "../quirks.ts";
import { encodeSeal, type SealKind } from "../seal.ts";

/**
 * The library's totals count each token once: cached and cache-written tokens are part of the input, reasoning tokens
 * part of the output. Null if the provider reported no number, which is not the same as 0.
 */
function decodeUsage(usage: LanguageModelV4Usage): ReportedUsage | null {
  const { inputTokens, outputTokens, raw } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  if (raw !== undefined && !namesNumber(raw)) return null;
  if (isUnreported(inputTokens.total) || isUnreported(outputTokens.total)) return null;
  const { total = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const audio = Math.min(spokenIn(raw ?? {}), total - cacheRead - cacheWrite);
  return {
    inputTokens: total,
    outputTokens: outputTokens.total ?? 0,
    ...(cacheRead ? { cachedInputTokens: cacheRead } : {}),
    ...(cacheWrite ? { cacheWriteTokens: cacheWrite } : {}),
    ...(audio > 0 ? { audioInputTokens: audio } : {}),
    ...(outputTokens.reasoning ? { reasoningTokens: outputTokens.reasoning } : {}),
  };
}

/** Also looks one level down: some providers nest their counts. */
function namesNumber(raw: object): boolean {
  return Object.values(raw).some(
    (value) =>
      typeof value === "number" ||
      (typeof value === "object" && value !== null && Object.values(value).some(Number.isFinite)),
  );
}

type Details = Readonly<Record<string, unknown>>;

/** Audio in Gemini's breakdown of the prompt, less the audio that came from the cache. */
function spokenIn(raw: object): number {
  const { promptTokensDetails, cacheTokensDetails } = raw as Details;
  return audioIn(promptTokensDetails) - audioIn(cacheTokensDetails);
}

function audioIn(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  const counts = details
    .filter((detail: Details | null) => detail?.["modality"] === "AUDIO")
    .map((detail: Details) => detail["tokenCount"])
    .filter(Number.isSafeInteger) as number[];
  return counts.reduce((sum, count) => sum + count, 0);
}

type Metadata = Extract<LanguageModelV4StreamPart, { type: "text-delta" }>["providerMetadata"];
type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** Turns the library's parts into our events; tracks which tool calls have begun. */
type StreamDecoder = {
  /** Throws a ProviderFailure for an error part, and for an end without a reason. */
  push(part: LanguageModelV4StreamPart, events: ChatEvent[]): void;
  /** Called if the stream ends without a finish part. */
  end(): never;
};

type OpenCall = { readonly call: number; hasArguments: boolean; isOver: boolean };

type DecodedCall = {
  /** Maps a tool name as sent back to the client's own. */
  readonly givenName?: ((sent: string) => string) | undefined;
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
};

export function createStreamDecoder(
  quirks: AiSdkQuirks,
  { givenName = (sent) => sent, secrets }: DecodedCall,
): StreamDecoder {
  /** By the provider's id; if calls share one, the last of them. */
  const calls = new Map<string, OpenCall>();
  const ids = new Set<string>();
  const blocks = new BlockLog();
  let input: ReportedInput | null = null;
  let isInputEmitted = false;
  /** Ids of blocks whose start event was skipped. */
  const skipped = new Set<string>();

  const sealOf = (metadata: Metadata, kind: SealKind, field: string): string | null => {
    const data = metadata?.[quirks.namespace]?.[field];
    if (typeof data !== "string" || data === "") return null;
    const place = kind === "answer" || kind === "call" ? {} : { after: blocks.take() };
    return encodeSeal(quirks.namespace, { kind, data, ...place });
  };
  const signatureOf = (metadata: Metadata, kind: SealKind): string | null =>
    quirks.signatureField === null ? null : sealOf(metadata, kind, quirks.signatureField);

  function pushSeals(metadata: Metadata, events: ChatEvent[]): void {
    if (metadata === undefined) return;
    const seals = [
      signatureOf(metadata, "reasoning"),
      sealOf(metadata, "redacted", "redactedData"),
      sealOf(metadata, "redacted-content", "redactedContent"),
    ];
    for (const signature of seals) {
      if (signature !== null) events.push({ type: "reasoning_signature", signature });
    }
  }

  function startCall(input: { id: string; name: string; metadata: Metadata }, events: ChatEvent[]): OpenCall {
    const opened = { call: ids.size, hasArguments: false, isOver: false };
    const id = ownCallId(input.id, ids.has(input.id));
    calls.set(input.id, opened);
    ids.add(id);
    blocks.call();
    const signature = signatureOf(input.metadata, "call");
    events.push({
      type: "tool_start",
      call: opened.call,
      id,
      name: givenName(givenToolName(input.name)),
      ...(signature === null ? {} : { signature }),
    });
    return opened;
  }

  function pushArguments(opened: OpenCall | undefined, text: string, events: ChatEvent[]): void {
    if (opened === undefined || text === "") return;
    // One provider writes "null" for no arguments.
    const isNothing = text === "null" && !opened.hasArguments;
    opened.hasArguments = true;
    events.push({ type: "tool_arguments", call: opened.call, text: isNothing ? "{}" : text });
  }

  function pushError(error: unknown): void {
    const unread = unreadValue(error);
    const skip = unread === undefined ? null : quirks.skipped(unread);
    if (skip === null) throw decodeErrorPart(error, secrets);
    if (skip.block !== undefined) skipped.add(skip.block);
  }

  /** Inserts the input usage just before the answer's first event: until then another provider may be tried. */
  function push(part: LanguageModelV4StreamPart, events: ChatEvent[]): void {
    if (part.type === "raw") {
      input ??= quirks.earlyInput?.(part.rawValue) ?? null;
      return;
    }
    const at = events.length;
    pushPart(withWholeText(part), events);
    if (input === null || isInputEmitted || events.length === at) return;
    isInputEmitted = true;
    events.splice(at, 0, { type: "input", usage: input });
  }

  function pushPart(part: LanguageModelV4StreamPart, events: ChatEvent[]): void {
    if ("delta" in part && skipped.has(part.id)) return;
    switch (part.type) {
      case "text-delta": {
        if (part.delta !== "") events.push({ type: "text", text: part.delta });
        blocks.text(part.id, part.delta);
        const signature = signatureOf(part.providerMetadata, "answer");
        if (signature !== null) events.push({ type: "reasoning_signature", signature });
        return;
      }
      case "reasoning-start":
        // A signature here is repeated on the first delta; only redacted reasoning is complete at its start.
        pushSeals(withoutSignature(part.providerMetadata, quirks), events);
        return;
      case "reasoning-delta":
        if (part.delta !== "") events.push({ type: "reasoning", text: part.delta });
        pushSeals(part.providerMetadata, events);
        return;
      case "reasoning-end":
        pushSeals(part.providerMetadata, events);
        return;
      case "tool-input-start":
        if (part.providerExecuted) return;
        startCall({ id: part.id, name: part.toolName, metadata: part.providerMetadata }, events);
        return;
      case "tool-input-delta":
        pushArguments(calls.get(part.id), part.delta, events);
        return;
      case "tool-call": {
        if (part.providerExecuted) return;
        const begun = calls.get(part.toolCallId);
        const opened =
          begun === undefined || begun.isOver
            ? startCall({ id: part.toolCallId, name: part.toolName, metadata: part.providerMetadata }, events)
            : begun;
        opened.isOver = true;
        // A call without arguments sends no delta, but its arguments must still be a JSON text.
        if (!opened.hasArguments) pushArguments(opened, part.input || "{}", events);
        return;
      }
      case "error":
        pushError(part.error);
        return;
      case "finish":
        events.push(...endOf(part, reasonOf(part, ids.size > 0), quirks));
        return;
      default:
        // Sources, files, metadata and tools run by the provider have no neutral form.
        return;
    }
  }

  return { push, end: breakOff };
}

/** The `finish` event, preceded by the input usage if the answer continued after its last usage report. */
function endOf({ usage: given }: FinishPart, reason: FinishReason, quirks: AiSdkQuirks): ChatEvent[] {
  const raw = given.raw ?? {};
  const usage = quirks.billedUsage(raw) ?? decodeUsage(given);
  const written = usage === null ? quirks.writtenSoFar(raw) : 0;
  const usageSoFar = written === 0 ? null : decodeUsage({ ...given, outputTokens: wordsAlone(written) });
  if (usageSoFar === null) return [{ type: "finish", reason, usage }];
  const { outputTokens: _written, ...input } = usageSoFar;
  return [
    { type: "input", usage: input },
    { type: "finish", reason, usage, usageSoFar },
  ];
}

function wordsAlone(tokens: number): FinishPart["usage"]["outputTokens"] {
  return { total: tokens, text: tokens, reasoning: undefined };
}

/** Events of streams were already repaired on arrival; framed answers are seen here for the first time. */
function withWholeText(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  if (!("delta" in part)) return part;
  const delta = wholeText(part.delta);
  return delta === part.delta ? part : { ...part, delta };
}

function withoutSignature(metadata: Metadata, { namespace, signatureField }: AiSdkQuirks): Metadata {
  const own = metadata?.[namespace];
  if (own === undefined || signatureField === null) return metadata;
  const { [signatureField]: _signature, ...rest } = own;
  return { [namespace]: rest };
}

/** Never invents a stop: a stream without the provider's own finish reason has broken off. */
function reasonOf({ finishReason }: FinishPart, hasCalls: boolean): FinishReason {
  const { unified, raw } = finishReason;
  if (raw === undefined || unified === "interrupted") return breakOff();
  // The library knows fewer finish reasons than providers have.
  switch (unified === "other" ? endingOf(raw) : unified) {
    case "error":
    case "failed":
      throw couldNotFinish(`finish reason ${raw}`);
    case "length":
      return "length";
    case "content-filter":
    case "content_filter":
      return "content_filter";
    default:
      return hasCalls ? "tool_calls" : "stop";
  }
}

function breakOff(): never {
  throw brokenAnswer("the stream ended without a finish reason");
}

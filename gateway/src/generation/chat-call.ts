import {
  countAttachments,
  leastTokens,
  messageCharacters,
  promptTokenSteps,
  type TokenCount,
} from "../../../compaction/src/index.ts";
import { outputTokensFor, type TextModel, textQuote } from "../catalog/index.ts";
import { type ChatRequest, LEAST_TOKENS_BESIDE_TOOLS } from "../contract/index.ts";
import type { EfficiencyLevel } from "../identity/index.ts";
import { AppError, type Credits, invalid, type Steps } from "../kit/index.ts";
import type { AnswerPace } from "./answer/answer-pace.ts";
import { type CachingDeps, cachingOf } from "./cache-marks/cache-marks.ts";
import type { EfficiencyReport } from "./outcome.ts";
import type { PaidCall } from "./paid-call/paid-call-input.ts";
import {
  type Attached,
  attachedIn,
  fileTextBytes,
  NOTHING_ATTACHED,
  type RolesSentAsText,
} from "./prompt/attachment-tokens.ts";
import { type ChatPrompt, conversationField } from "./prompt/chat-prompt.ts";
import { type AnswerReading, requestOf } from "./prompt/chat-request.ts";
import { type CompactedPrompt, compactedPromptSteps } from "./prompt/compacted-prompt.ts";
import { InputCount } from "./prompt/input-count.ts";
import { type PlaceChecks, withBoundForPlaced } from "./prompt/placed-documents.ts";
import { promptBoundTokens } from "./prompt/prompt-bound.ts";
import { withReadingTargets } from "./prompt/reading-targets.ts";
import { reasoningBoundTokens } from "./prompt/reasoning-bound.ts";
import { createSentInput } from "./prompt/sent-input.ts";
import { refuseUnserved, type TextChecks } from "./prompt/serving-targets.ts";
import { type InTurns, paidCallOf, type ResolvedCall } from "./resolved-call.ts";
import type { TokenCorrections } from "./token-correction/token-correction.ts";

/** A decoded and resolved chat call: everything a wire knows about it. */
export type ChatCall = ResolvedCall<TextModel> & {
  readonly prompt: ChatPrompt;
  /** The caller's own limit; null lets the hold decide. */
  readonly maxTokens: number | null;
  /** True if a limit that cannot be paid for is lowered; else it is refused. */
  readonly lowersLimit: boolean;
  readonly efficiency: EfficiencyLevel;
  /** Compaction and counting may take long. */
  readonly turns: InTurns;
  /** Calls `leave` if the client disconnects; what is returned ends the watch. */
  watchClient(this: void, leave: () => void): () => void;
};

/** A chat call with its quote: what to hold, and what the hold buys. */
export type QuotedChat = {
  /** Its model lists only the targets that can read the prompt. */
  readonly call: ChatCall;
  readonly paidCall: PaidCall;
  readonly input: InputCount;
  readonly efficiency: EfficiencyReport;
  /** Number of answers requested. */
  readonly n: number;
  /** The provider request. The answer may be as long as `granted` pays for, up to the caller's limit. */
  requestFor(granted: Credits, reading: AnswerReading): ChatRequest;
  /** Output tokens that `granted` pays for per answer: its limit plus any reasoning on top of the limit. */
  outputTokensHeld(granted: Credits, request: Pick<ChatRequest, "maxOutputTokens">): number;
};

export type QuoteDeps = CachingDeps & {
  readonly registry: TextChecks & PlaceChecks;
  readonly corrections: TokenCorrections;
  readonly pace: Pick<AnswerPace, "tokensInOnePiece">;
  readonly timeoutMs: number;
  /** The token counter for one sender; remembers the counts of texts that the sender sent before. */
  countFor(owner: string): TokenCount;
};

export function quoteChat(call: ChatCall, deps: QuoteDeps): QuotedChat | Promise<QuotedChat> {
  return call.turns.inTurns(quoteSteps(call, deps));
}

/** In steps, none of which takes long: a prompt of several megabytes may take seconds. */
export function* quoteSteps(asked: ChatCall, deps: QuoteDeps): Steps<QuotedChat> {
  // Its body was parsed and its fields were checked just now.
  yield;
  const given = countAttachments(asked.prompt.messages);
  const call = readableCall(asked, given.files, deps);
  const compacted = yield* fittingSteps(call, deps);
  return quoteOf(call, given, compacted, deps);
}

/** The call with only the targets that can read its prompt, and with their bounds. */
function readableCall(asked: ChatCall, files: number, { registry }: QuoteDeps): ChatCall {
  const reading = withReadingTargets(asked.model, asked.prompt);
  refuseUnserved(registry, reading, asked.prompt);
  const model = files === 0 ? reading : withBoundForPlaced(registry, reading, asked.prompt);
  return model === asked.model ? asked : { ...asked, model };
}

/** Compacts the prompt and counts what is left, which must fit into the model's context. */
function* fittingSteps(call: ChatCall, deps: QuoteDeps): Steps<CompactedPrompt> {
  const { prompt, model, efficiency } = call;
  const { contextTokens } = model.limits;
  const count = deps.countFor(`${call.principal.organization.id} ${call.principal.keyId}`);
  const characters = messageCharacters(prompt.messages);
  if (characters > contextTokens * MOST_COMPACTED) yield* hopelessSteps(call, characters, count);
  const compacted = yield* compactedPromptSteps({ prompt, model, efficiency, count }, deps.corrections);
  const tokens = compacted.estimate.tokens + (prompt.unseenTokens ?? 0);
  if (tokens > contextTokens) throw tooLong(tokens, call);
  return compacted;
}

/** What the call may cost, and what a provider is asked for it. */
function quoteOf(
  call: ChatCall,
  { images: shownImages, files, inResults }: ReturnType<typeof countAttachments>,
  { prompt, estimate, rareFrameTokens, report }: CompactedPrompt,
  deps: QuoteDeps,
): QuotedChat {
  const { corrections, pace, timeoutMs, registry } = deps;
  const { model, lowersLimit } = call;
  const orgId = call.principal.organization.id;
  const { unseenTokens = 0 } = prompt;
  const least = leastTokens(prompt.messages, estimate.tokens);
  const asker = { orgId, model: model.id };
  // The hold never falls below what we would charge by our own count; it may exceed it by what the organization's own
  // calls, or several organizations, have shown.
  const heldTokens = (more: number, leastMore: number) => {
    const probable = corrections.correctFor(asker, { ...estimate, tokens: estimate.tokens + more });
    const certain = Math.max(estimate.tokens, least.held) + leastMore;
    return Math.max(probable, certain) + rareFrameTokens + unseenTokens;
  };
  const n = prompt.n ?? 1;
  refuseAttachments(call, shownImages, files);
  // Some servers get the attachments of tool results in a separate message, with a note where each one was.
  const messages = prompt.messages.length + inResults;
  const { tokensPerImage, tokensPerFile } = model.limits;
  // Models without image input reject such an image, so there is nothing to hold for.
  const images = shownImages + (tokensPerImage === null ? 0 : (prompt.unseenImages ?? 0));
  const attached =
    shownImages + files > 0 ? readAttached(call, estimate.tokens + unseenTokens, registry) : NOTHING_ATTACHED;
  const bounds = {
    model,
    n,
    audioBoundTokens: attached.heardFiles * (tokensPerFile ?? 0),
    inputBoundTokens: promptBoundTokens({ model, messages, images, files, attached, heldTokens }),
  };
  const thoughtTokens = reasoningBoundTokens(model, prompt);
  const quote = textQuote({ ...bounds, maxOutputTokens: heldLimit(call), lowersLimit, thoughtTokens });
  const sent = createSentInput(prompt);
  const input = new InputCount({
    estimate,
    ofRareLetters: least.ofRareLetters,
    attached,
    mostAttachedTokens: Math.max(
      images * (tokensPerImage ?? 0) + files * (tokensPerFile ?? 0) + attached.filmTokens,
      attached.tokens,
    ),
    mostAudioTokens: bounds.audioBoundTokens,
    isTextAlone: images + files + unseenTokens === 0,
    sent,
  });
  return {
    call,
    n,
    input,
    efficiency: report,
    requestFor: (granted, reading) => {
      const request = requestOf(prompt, {
        maxOutputTokens: outputTokensFor({ ...bounds, granted, most: askedLimit(call) }),
        reading,
        // If only we limit the reasoning, it must be streamed, so that we can cut it where the hold ends.
        mostInOnePiece: model.limits.maxThoughtTokens > 0 ? 0 : pace.tokensInOnePiece(model.id),
        onSent: sent?.onSent,
        sealed: (identity) => deps.sealed(orgId, identity),
      });
      return Object.assign(request, cachingOf(deps, { orgId, model, tokens: estimate.tokens }, request));
    },
    outputTokensHeld: (granted, { maxOutputTokens }) => {
      if (thoughtTokens === 0) return maxOutputTokens;
      const affordable = outputTokensFor({ ...bounds, granted, most: maxOutputTokens + thoughtTokens });
      return Math.max(maxOutputTokens, affordable);
    },
    paidCall: paidCallOf(call, quote, timeoutMs),
  };
}

/** The limit in place of the caller's, if that could not be paid for. */
export function loweredLimit(
  { call: { maxTokens } }: QuotedChat,
  { maxOutputTokens }: Pick<ChatRequest, "maxOutputTokens">,
): number | undefined {
  return maxTokens !== null && maxOutputTokens < maxTokens ? maxOutputTokens : undefined;
}

function askedLimit({ maxTokens, model }: ChatCall): number {
  return maxTokens ?? model.limits.maxOutputTokens;
}

function heldLimit({ maxTokens, prompt: { tools = [] }, model: { limits } }: ChatCall): number | null {
  if (maxTokens === null || tools.length === 0) return maxTokens;
  return Math.max(maxTokens, Math.min(LEAST_TOKENS_BESIDE_TOOLS, limits.maxOutputTokens));
}

/** The largest factor by which compaction may shrink a prompt: it hardly ever saves more than two thirds. */
const MOST_COMPACTED = 3;
/** Above this ratio the text cannot be human writing, and an estimate is not worth its cost. */
const MOST_CHARACTERS_PER_CONTEXT_TOKEN = 16;

/**
 * Refuses a prompt that cannot fit before it is processed in detail: that would block the process for about a second
 * per few megabytes, and a refusal costs the sender nothing.
 */
function* hopelessSteps(call: ChatCall, characters: number, count: TokenCount): Steps<void> {
  const { prompt, model } = call;
  const { contextTokens } = model.limits;
  if (characters > contextTokens * MOST_CHARACTERS_PER_CONTEXT_TOKEN)
    throw tooLong(leastTokens(prompt.messages, 0).held, call);
  const tokens = yield* promptTokenSteps({ messages: prompt.messages }, count);
  if (tokens > contextTokens * MOST_COMPACTED) throw tooLong(tokens, call);
}

/**
 * Counts what is attached. A file counts as text if a target receives it as text; servers that receive the file
 * itself decide how much of it they read. File text may fill the model's whole window: beyond `contextTokens` it is
 * held for and charged at the rates of long input, like all attachments.
 */
function readAttached(call: ChatCall, promptTokens: number, registry: PlaceChecks): Attached {
  const { prompt, model } = call;
  const asText = rolesSentAsText(call, registry);
  const { windowTokens } = model.limits;
  const bytes = fileTextBytes(prompt.messages, asText);
  if (bytes > windowTokens * MOST_CHARACTERS_PER_CONTEXT_TOKEN)
    throw tooLong(promptTokens + Math.ceil(bytes / MOST_CHARACTERS_PER_CONTEXT_TOKEN), call, windowTokens);
  const attached = attachedIn(prompt.messages, model, asText);
  const tokens = promptTokens + attached.textTokens;
  if (attached.textFiles > 0 && tokens > windowTokens) throw tooLong(tokens, call, windowTokens);
  return attached;
}

function rolesSentAsText({ prompt, model }: ChatCall, registry: PlaceChecks): RolesSentAsText {
  const providers = model.targets.map(({ provider }) => registry.text(provider));
  if (providers.some(({ sendsAsWritten }) => sendsAsWritten !== true)) return ["user", "tool"];
  return providers.some((provider) => provider.writesOutResults?.(prompt.wire)) ? ["tool"] : [];
}

/**
 * Refused before anything is held: a provider that accepted it would bill at rates beyond the model's price. The
 * wording is OpenAI's, by which agents recognize that they must shorten the conversation; many do not look at the
 * code.
 */
function tooLong(
  estimateTokens: number,
  { model, prompt }: ChatCall,
  most = model.limits.contextTokens,
): AppError {
  const field = conversationField(prompt);
  const message =
    `${field}: This model's maximum context length is ${most} tokens. However, your messages ` +
    `resulted in about ${estimateTokens} tokens. Please reduce the length of the messages.`;
  return new AppError("validation_error", message, { field, reason: "context_length_exceeded" });
}

/** Every attachment needs a token bound in the model's catalog entry: without one no hold could cover it. */
function refuseAttachments({ model: { limits }, prompt }: ChatCall, images: number, files: number): void {
  const field = conversationField(prompt);
  if (images > 0 && limits.tokensPerImage === null) throw invalid(field, "this model takes no images");
  if (files > 0 && limits.tokensPerFile === null)
    throw invalid(field, `this model takes no ${unboundIn(prompt)}`);
}

/**
 * A part of another wire, such as `input_text` in chat completions, counts as a file, but its sender knows of no
 * file: name the part instead.
 */
function unboundIn({ messages }: ChatPrompt): string {
  for (const { content } of messages) {
    if (content === null || typeof content === "string") continue;
    const part = content.find(({ type }) => type === "file" || type === "other");
    if (part !== undefined) return part.type === "other" ? `${part.name} parts` : "files";
  }
  return "files";
}

import type {
  CallContext,
  ChatEvent,
  ChatRequest,
  FinishReason,
  ReportedUsage,
} from "../../gateway/src/contract/index.ts";
import { PLAIN_SCRIPT } from "./directives/directives.ts";
import { type LimitedReply, limitReply } from "./limits.ts";
import { composeReply, readRequest } from "./reply.ts";
import { scriptedCut, scriptedError, scriptedFailure } from "./scripted-failure.ts";
import { wait } from "./wait.ts";
import { beginsWord } from "./words.ts";

/** How tokens are counted; injected, since this room does not import the one that counts. */
export type TokenEstimator = {
  estimateTokens(text: string): number;
  estimatePromptTokens(request: ChatRequest): number;
};

/** Reasoning that will be signed is told as such, since a vendor writes it into its details from the first word. */
export type SandboxEvent =
  | ChatEvent
  | (Extract<ChatEvent, { type: "reasoning" }> & { readonly isSigned: true });

/** Words per batch when there is no delay; a slow reader holds back the batches after it. */
const WORDS_AT_ONCE = 32;

/**
 * One chat call; it waits only where a directive asks for it. A single generator, since each level of delegation costs
 * three more microtask turns per event.
 */
export async function* answerChat(
  estimator: TokenEstimator,
  request: ChatRequest,
  context: CallContext,
): AsyncGenerator<readonly SandboxEvent[]> {
  const { signal } = context;
  signal.throwIfAborted();
  const reading = readRequest(request);
  const script = reading.directives.outcome === "read" ? reading.directives.script : PLAIN_SCRIPT;
  if (script.firstByteMs > 0) await wait(script.firstByteMs, signal);
  if (script.errorStatus !== null || script.fails) {
    await wait(script.delayMs, signal);
    throw script.errorStatus === null ? scriptedFailure() : scriptedError(script.errorStatus);
  }
  const { estimateTokens } = estimator;
  const count = request.n ?? 1;
  const totals: Totals = { reasons: [], outputTokens: 0, reasoningTokens: 0 };
  for (let choice = 0; choice < count; choice++) {
    // Many long answers in one event-loop turn would block all other calls.
    if (choice > 0) await new Promise((resolve) => setImmediate(resolve));
    const reply = limitReply(
      composeReply({ request, reading, choice, estimateTokens }),
      request,
      estimateTokens,
    );
    const length = lengthBeforeCut(reply, script.cutAfterWords);
    const index = count > 1 ? choice : undefined;
    const delayMs = script.delayMs / count;
    const size = delayMs > 0 ? 1 : WORDS_AT_ONCE;
    const startedAt = performance.now();
    for (let at = 0; at < length; at += size) {
      // Relative to the start, so that late timers do not add up.
      const dueAt = startedAt + (delayMs * (at + 1)) / length;
      if (delayMs > 0) await wait(dueAt - performance.now(), signal);
      else signal.throwIfAborted();
      yield eventsOf(reply, { from: at, to: Math.min(at + size, length), index });
    }
    if (length === 0) await wait(delayMs, signal);
    if (script.cutAfterWords !== null) throw scriptedCut(script.cutAfterWords);
    addTo(totals, reply);
  }
  yield [finishOf(totals, script.reportsUsage ? estimator.estimatePromptTokens(request) : null)];
}

type Totals = { readonly reasons: FinishReason[]; outputTokens: number; reasoningTokens: number };

function addTo(totals: Totals, reply: LimitedReply): void {
  totals.reasons.push(reply.finish);
  totals.outputTokens += reply.outputTokens;
  totals.reasoningTokens += reply.reasoningTokens;
}

function finishOf(
  { reasons, outputTokens, reasoningTokens }: Totals,
  inputTokens: number | null,
): SandboxEvent {
  const usage: ReportedUsage | null =
    inputTokens === null
      ? null
      : { inputTokens, outputTokens, ...(reasoningTokens > 0 ? { reasoningTokens } : {}) };
  return { type: "finish", reason: reasons[0] ?? "stop", ...(reasons.length > 1 ? { reasons } : {}), usage };
}

/** Number of events before the stream is cut: all of them if it is not, or if the answer is too short. */
function lengthBeforeCut(reply: LimitedReply, afterWords: number | null): number {
  const { calls, text } = reply;
  const before = reasoningEvents(reply) + calls.length * EVENTS_PER_CALL;
  if (afterWords === null) return before + text.length;
  let words = 0;
  for (let at = 0; at < text.length; at++) {
    if (beginsWord(text.at(at), words === 0) && ++words > afterWords) return before + at;
  }
  return before + text.length;
}

const EVENTS_PER_CALL = 2;

function reasoningEvents({ reasoning, signature }: LimitedReply): number {
  return reasoning.length + (signature === null ? 0 : 1);
}

type Stretch = { readonly from: number; readonly to: number; readonly index: number | undefined };

/** Created when they are sent: thousands of slow readers must not hold thousands of events each. */
function eventsOf(reply: LimitedReply, { from, to, index }: Stretch): SandboxEvent[] {
  const events: SandboxEvent[] = [];
  const ofAnswer = index === undefined ? {} : { index };
  for (let at = from; at < to; at++) events.push({ ...eventAt(reply, at), ...ofAnswer });
  return events;
}

function eventAt(reply: LimitedReply, at: number): SandboxEvent {
  const { reasoning, signature, calls, text, isRefusal } = reply;
  if (at < reasoning.length) {
    const event = { type: "reasoning", text: reasoning.at(at) } as const;
    return signature === null ? event : { ...event, isSigned: true };
  }
  const step = at - reasoningEvents(reply);
  if (step < 0) return { type: "reasoning_signature", signature: signature ?? "" };
  const call = Math.floor(step / EVENTS_PER_CALL);
  const made = calls[call];
  if (made === undefined) {
    const piece = text.at(step - calls.length * EVENTS_PER_CALL);
    return { type: isRefusal ? "refusal" : "text", text: piece };
  }
  const { id, name, arguments: argumentsText } = made;
  return step % EVENTS_PER_CALL === 0
    ? { type: "tool_start", call, id, name }
    : { type: "tool_arguments", call, text: argumentsText };
}

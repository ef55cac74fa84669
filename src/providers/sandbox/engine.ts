import type {
  CallContext,
  ChatEvent,
  ChatMessage,
  ChatRequest,
  FinishReason,
  ReportedUsage,
} from "../contract.ts";
import { PLAIN_SCRIPT } from "./directives/directives.ts";
import { type LimitedReply, limitReply } from "./limits.ts";
import { composeReply, readRequest } from "./reply.ts";
import { scriptedCut, scriptedError } from "./scripted-failure.ts";
import { wait } from "./wait.ts";
import { beginsWord } from "./words.ts";

/** How tokens are counted; given from outside, since providers know no neighbour. */
export type TokenEstimator = {
  estimateTokens(text: string): number;
  estimateChatTokens(messages: readonly ChatMessage[]): number;
};

/** Words that leave together when nothing slows them down: a reader who is behind holds up the rest. */
const WORDS_AT_ONCE = 32;

/**
 * One chat call: nothing is awaited but what a directive asks to wait for. A single generator, since every
 * level that hands events on costs each of them three more turns of the microtask queue.
 */
export async function* answerChat(
  estimator: TokenEstimator,
  request: ChatRequest,
  context: CallContext,
): AsyncGenerator<readonly ChatEvent[]> {
  const { signal } = context;
  signal.throwIfAborted();
  const reading = readRequest(request);
  const script = reading.directives.outcome === "read" ? reading.directives.script : PLAIN_SCRIPT;
  if (script.firstByteMs > 0) await wait(script.firstByteMs, signal);
  if (script.errorStatus !== null) {
    await wait(script.delayMs, signal);
    throw scriptedError(script.errorStatus);
  }
  const { estimateTokens } = estimator;
  const count = request.n ?? 1;
  const totals: Totals = { reasons: [], outputTokens: 0, reasoningTokens: 0 };
  for (let choice = 0; choice < count; choice++) {
    // Many long answers in one turn of the loop would hold up every other call.
    if (choice > 0) await new Promise((resolve) => setImmediate(resolve));
    const composed = composeReply({ request, reading, choice, estimateTokens });
    const reply = limitReply(composed, request, estimateTokens);
    const events = beforeCut(eventsOf(reply, count > 1 ? choice : undefined), script.cutAfterWords);
    const delayMs = script.delayMs / count;
    const size = delayMs > 0 ? 1 : WORDS_AT_ONCE;
    const startedAt = performance.now();
    for (let at = 0; at < events.length; at += size) {
      // Against one start time, so that timers' own lateness does not add up.
      const dueAt = startedAt + (delayMs * (at + 1)) / events.length;
      if (delayMs > 0) await wait(dueAt - performance.now(), signal);
      else signal.throwIfAborted();
      yield events.slice(at, at + size);
    }
    if (events.length === 0) await wait(delayMs, signal);
    if (script.cutAfterWords !== null) throw scriptedCut(script.cutAfterWords);
    addTo(totals, reply);
  }
  yield [finishOf(totals, script.reportsUsage ? estimator.estimateChatTokens(request.messages) : null)];
}

type Totals = { readonly reasons: FinishReason[]; outputTokens: number; reasoningTokens: number };

function addTo(totals: Totals, reply: LimitedReply): void {
  totals.reasons.push(reply.finish);
  totals.outputTokens += reply.outputTokens;
  totals.reasoningTokens += reply.reasoningTokens;
}

function finishOf({ reasons, outputTokens, reasoningTokens }: Totals, inputTokens: number | null): ChatEvent {
  const usage: ReportedUsage | null =
    inputTokens === null
      ? null
      : { inputTokens, outputTokens, ...(reasoningTokens > 0 ? { reasoningTokens } : {}) };
  return { type: "finish", reason: reasons[0] ?? "stop", ...(reasons.length > 1 ? { reasons } : {}), usage };
}

/** What leaves before the stream breaks off: everything when it does not, or when the answer is too short. */
function beforeCut(events: ChatEvent[], afterWords: number | null): ChatEvent[] {
  if (afterWords === null) return events;
  let words = 0;
  const cut = events.findIndex(
    (event) => event.type === "text" && beginsWord(event.text, words === 0) && ++words > afterWords,
  );
  return cut < 0 ? events : events.slice(0, cut);
}

function eventsOf(reply: LimitedReply, choice: number | undefined): ChatEvent[] {
  const events: ChatEvent[] = [];
  const ofAnswer = choice === undefined ? {} : { index: choice };
  for (const text of reply.reasoning) events.push({ type: "reasoning", text, ...ofAnswer });
  for (const [call, { id, name, arguments: text }] of reply.calls.entries()) {
    events.push({ type: "tool_start", call, id, name, ...ofAnswer });
    events.push({ type: "tool_arguments", call, text, ...ofAnswer });
  }
  for (const text of reply.text) events.push({ type: "text", text, ...ofAnswer });
  return events;
}

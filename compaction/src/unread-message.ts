import type { createOpenCalls } from "./calls/open-calls.ts";
import type { createOrigins } from "./calls/origin.ts";
import type { ChatMessage } from "./message.ts";
import type { Steps } from "./steps.ts";

/**
 * Notes the calls and the name of a message whose texts are not read. `origins` is null if nothing is named. In steps,
 * since there may be thousands of calls.
 */
export function* noteUnreadSteps(
  message: ChatMessage,
  calls: ReturnType<typeof createOpenCalls>,
  origins: ReturnType<typeof createOrigins> | null,
): Steps<void> {
  if (message.role === "tool") {
    const { call } = calls.answer(message.toolCallId);
    origins?.ofToolResult(call);
    return;
  }
  origins?.ofMessage(message.role);
  if (message.role !== "assistant") return;
  const { toolCalls = [] } = message;
  calls.open(toolCalls);
  if (origins === null) return;
  for (const call of toolCalls) {
    // The name of another call must not fit this one.
    origins.ofArguments(call);
    yield;
  }
}

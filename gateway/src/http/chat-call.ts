import type { ChatCall } from "../generation/index.ts";
import { watchClient } from "./client-left.ts";
import type { Call } from "./context.ts";

/** What every chat endpoint knows about a call once its model is resolved. */
export type ChatTarget = Pick<
  ChatCall,
  "model" | "plan" | "prompt" | "maxTokens" | "lowersLimit" | "efficiency"
>;

/** Fields are listed one by one: a spread costs thirty times as much, on every call. */
export function chatCallOf(call: Call, endpoint: string, target: ChatTarget): ChatCall {
  const { model, plan, prompt, maxTokens, lowersLimit, efficiency } = target;
  const { principal, memberUserId, requestId, idempotency, span } = call;
  return {
    principal,
    plan,
    memberUserId,
    requestId,
    endpoint,
    model,
    prompt,
    maxTokens,
    lowersLimit,
    efficiency,
    idempotency,
    span,
    turns: call,
    watchClient: (leave) => watchClient(call, leave),
  };
}

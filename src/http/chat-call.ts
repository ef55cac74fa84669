import type { ChatCall } from "../generation/index.ts";
import type { Call } from "./context.ts";

/** What every chat endpoint knows of a call once its model is found. */
export type ChatTarget = Pick<ChatCall, "model" | "plan" | "prompt" | "maxTokens" | "efficiency">;

/** Written out: a spread costs thirty times as much, for every call. */
export function chatCallOf(call: Call, endpoint: string, target: ChatTarget): ChatCall {
  const { model, plan, prompt, maxTokens, efficiency } = target;
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
    efficiency,
    idempotency,
    span,
  };
}

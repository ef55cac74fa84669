import type { Catalog } from "../../catalog/index.ts";
import type { ChatCall } from "../../generation/index.ts";
import type { EfficiencyLevel, Principal } from "../../identity/index.ts";
import type { Call } from "../context.ts";
import { resolveServedModel } from "../served-model.ts";

/** What both chat endpoints of this interface know of a call once its model is found. */
export type ChatTarget = Pick<ChatCall, "model" | "plan" | "prompt" | "maxTokens" | "efficiency">;

type Asked = Pick<ChatCall, "prompt" | "maxTokens"> & { readonly modelId: string };

export function resolveChat(
  catalog: Catalog,
  organization: Principal["organization"],
  { modelId: id, prompt, maxTokens }: Asked,
  /** Null: as the organization has set it. */
  efficiency: EfficiencyLevel | null,
): ChatTarget {
  const { model, plan } = resolveServedModel({
    catalog,
    organization,
    id,
    type: "text",
    listedAt: "/v1/models",
  });
  return {
    model,
    plan,
    prompt,
    // Agents ask for more than a model can write and mean as much as it can.
    maxTokens: maxTokens === null ? null : Math.min(maxTokens, model.limits.maxOutputTokens),
    efficiency: efficiency ?? organization.efficiency,
  };
}

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

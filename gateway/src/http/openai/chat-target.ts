import type { Catalog } from "../../catalog/index.ts";
import type { ChatCall } from "../../generation/index.ts";
import type { EfficiencyLevel, Principal } from "../../identity/index.ts";
import type { ChatTarget } from "../chat-call.ts";
import { resolveServedModel } from "../served-model.ts";

type Asked = Pick<ChatCall, "prompt" | "maxTokens"> & { readonly modelId: string };

export function resolveChat(
  catalog: Catalog,
  organization: Principal["organization"],
  { modelId: id, prompt, maxTokens }: Asked,
  /** Null for the organization's own setting. */
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
    // Agents request more tokens than a model can write and mean as many as it can.
    maxTokens: maxTokens === null ? null : Math.min(maxTokens, model.limits.maxOutputTokens),
    // They always set one, Claude Code 32,000.
    lowersLimit: true,
    efficiency: efficiency ?? organization.efficiency,
  };
}

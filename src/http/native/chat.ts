import { planOf, resolveModel } from "../../catalog/index.ts";
import type { ChatOutcome, Paid } from "../../generation/index.ts";
import { AppError, invalid } from "../../kit/index.ts";
import type { HttpDeps } from "../context.ts";
import { efficiencyOf } from "../efficiency.ts";
import { checkFields } from "../fields.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute } from "../route.ts";
import { chatBodySchema, chatReplySchema } from "./chat-schema.ts";
import { setRateHeaders } from "./errors.ts";

const ENDPOINT = "api-v1-chat";

export function chatRoute(deps: Pick<HttpDeps, "settings" | "catalog" | "generation">): ApiRoute {
  const schema = chatBodySchema(deps.settings.messages);
  return defineRoute({
    wire: "native",
    method: "POST",
    path: `/functions/v1/${ENDPOINT}`,
    scope: "chat",
    spends: true,
    bodyLimitBytes: deps.settings.bodyBytes,
    docs: {
      operationId: "createChat",
      summary: "Chat completion",
      description:
        "Answers a conversation with any text model. Charged when it succeeds; an error costs nothing.",
      body: { schema, example: CHAT_EXAMPLE },
      reply: chatReplySchema,
    },
    decode({ body, headers }) {
      const { model, messages, stream, max_tokens } = checkFields(schema, body);
      if (stream)
        throw invalid("stream", "streamed replies are not available yet; send false or leave it out");
      return { modelId: model, messages, maxTokens: max_tokens ?? null, efficiency: efficiencyOf(headers) };
    },
    resolve(fields, { organization }) {
      const { catalog } = deps;
      const model = resolveModel({ catalog, organization, id: fields.modelId, type: "text" });
      if (model === null) throw modelNotAllowed();
      const { maxOutputTokens } = model.limits;
      if (fields.maxTokens !== null && fields.maxTokens > maxOutputTokens) {
        throw invalid("max_tokens", `must be a whole number from 1 to ${maxOutputTokens} for this model`);
      }
      const efficiency = fields.efficiency ?? organization.efficiency;
      return { ...fields, model, efficiency, plan: planOf(catalog.plans, organization.plan) };
    },
    async handle(call, { model, plan, messages, maxTokens, efficiency }) {
      const paid = await deps.generation.chat({
        principal: call.principal,
        plan,
        memberUserId: call.memberUserId,
        requestId: call.requestId,
        endpoint: ENDPOINT,
        model,
        messages,
        maxTokens,
        efficiency,
        idempotency: call.idempotency,
        span: call.span,
      });
      return chatReply(call.requestId, paid);
    },
  });
}

const CHAT_EXAMPLE = {
  model: "svc-fast",
  messages: [{ role: "user", content: "Say hello in three languages." }],
  max_tokens: 256,
};

/** One answer for unknown, of another type and hidden, so that ids of hidden models cannot be guessed. */
function modelNotAllowed(): AppError {
  const message = "model: must be a text model that your organization may use; GET api-v1-models lists them";
  return new AppError("model_not_allowed", message, { field: "model" });
}

function chatReply(requestId: string, paid: Paid<ChatOutcome>): Response {
  const { outcome, balance } = paid;
  const response = jsonReply(requestId, {
    request_id: paid.requestId,
    model: outcome.model,
    message: { role: "assistant", content: outcome.content },
    // No tools can be offered on this interface, so nothing can end in a call of one.
    finish_reason: outcome.finishReason === "tool_calls" ? "stop" : outcome.finishReason,
    usage: { input_tokens: outcome.usage.inputTokens, output_tokens: outcome.usage.outputTokens },
    credits_charged: paid.creditsCharged,
    balance: { subscription: balance.subscription, anytime: balance.anytime },
    efficiency: {
      original_estimated_tokens: outcome.efficiency.originalEstimatedTokens,
      compacted_estimated_tokens: outcome.efficiency.compactedEstimatedTokens,
      tokens_saved: outcome.efficiency.tokensSaved,
      actions: outcome.efficiency.actions,
    },
  });
  if (paid.rate) setRateHeaders(response.headers, paid.rate);
  if (paid.replayed) response.headers.set("idempotent-replayed", "true");
  return response;
}

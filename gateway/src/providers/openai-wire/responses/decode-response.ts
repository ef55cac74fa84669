import type { ChatEvent, FinishReason } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import { type Fields, isFields } from "../../../wires/index.ts";
import { brokeOff, type ReadingContext, unreadable } from "../decode/decode-chunk.ts";
import { decodeUsage } from "../decode/decode-usage.ts";
import { unnamedFailure } from "../unnamed-failure.ts";
import { saysNothing } from "../wire-failure.ts";
import { responseFailure } from "./response-failure.ts";

/** Some servers leave the status to the event, or omit it in a reply. */
const ENDED: ReadonlySet<unknown> = new Set(["completed", "incomplete", undefined, null]);

type ResponseFinish = Extract<ChatEvent, { type: "finish" }> & { readonly whole: Fields };

/** The `finish` event of a whole response; throws if it says that it failed, or has not ended. */
export function finishOfResponse(response: unknown, context: ReadingContext): ResponseFinish {
  if (!isFields(response)) throw unreadable("a response that is no object");
  const { status, error, usage } = response;
  const isEmptyError = saysNothing(error) && (hasOutput(response) || typeof status === "string");
  if ((error && !isEmptyError) || status === "failed") throw responseFailure(error, context.secrets);
  if (!ENDED.has(status)) throw brokeOff(true);
  if (!Array.isArray(response["output"])) {
    throw unnamedFailure(response, context.secrets) ?? unreadable("a response without output");
  }
  for (const item of response["output"]) checkItem(item);
  return {
    type: "finish",
    reason: reasonOf(response),
    usage: usage ? decodeUsage(usage, context) : null,
    whole: response,
  };
}

function hasOutput({ output }: Fields): boolean {
  return Array.isArray(output) && output.length > 0;
}

/** Throws if the item cannot be read, which must not pass for an empty answer. */
function checkItem(item: unknown): void {
  if (!isObject(item)) throw unreadable("an item that is no object");
  const { type, content } = item;
  if (type !== "message" || content === undefined || content === null || typeof content === "string") return;
  if (!Array.isArray(content)) throw unreadable(`a message whose content is a ${typeof content}`);
}

function reasonOf({ status, incomplete_details: details, output }: Fields): FinishReason {
  if (status === "incomplete") {
    return (details as Fields | null)?.["reason"] === "content_filter" ? "content_filter" : "length";
  }
  return (output as readonly unknown[]).some(isCall) ? "tool_calls" : "stop";
}

export function isCall(item: unknown): item is Fields {
  return isFields(item) && (item["type"] === "function_call" || item["type"] === "custom_tool_call");
}

import { z } from "zod";
import { encodeSseData, encodeSseEvent } from "../../kit/index.ts";
import { chatChunkSchema } from "./chat/chat-schema.ts";

const CHUNK = {
  id: "chatcmpl-01a1e44b-4b68-771a-a3c0-faffe9ba4253",
  object: "chat.completion.chunk",
  created: 1_794_831_502,
  model: "gpt-5.6-luna",
};
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...CHUNK,
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
});

/** What the API reference says about a streamed chat completion. */
export const CHAT_COMPLETION_STREAM = {
  about: `Unnamed server-sent events, each one \`data:\` line: chunks of the answer (\`chat.completion.chunk\`), then
\`[DONE]\`. With \`stream_options: {"include_usage": true}\`, a last chunk without choices carries \`usage\` and the cost
of the call. A failure after the stream has begun is a chunk with \`error\`; nothing is charged then, unless the provider
stopped because of the content: what was delivered is charged, with \`credits_charged\` and \`balance\` beside \`error\`.`,
  event: chatChunkSchema,
  example: [
    ...[
      chunk({ role: "assistant", content: "", refusal: null }),
      chunk({ content: "Hello." }),
      chunk({}, "stop"),
    ].map((piece) => encodeSseData(JSON.stringify(piece))),
    encodeSseData("[DONE]"),
  ].join(""),
};

const AT = { item_id: "msg_01a1e44b-4b96-7031-a013-7411fff29b31_0", output_index: 0, content_index: 0 };
const DELTA = {
  type: "response.output_text.delta",
  sequence_number: 4,
  ...AT,
  delta: "Hello.",
  logprobs: [],
};

/** What the API reference says about a streamed response. */
export const RESPONSE_STREAM = {
  about: `Server-sent events, each an \`event:\` line and one \`data:\` line of JSON with the same \`type\` and a
\`sequence_number\`: \`response.created\`, \`response.in_progress\`; for each item \`response.output_item.added\`, its parts
and deltas (\`response.content_part.added\`, \`response.output_text.delta\` …, \`response.output_text.done\`,
\`response.content_part.done\`; for calls \`response.function_call_arguments.delta\` …), \`response.output_item.done\`; at the
end \`response.completed\`, \`response.incomplete\` or \`response.failed\` with the whole response.`,
  event: z.looseObject({ type: z.string(), sequence_number: z.int() }),
  example: encodeSseEvent(DELTA.type, JSON.stringify(DELTA)),
};

import { z } from "zod";
import { chatChunkSchema } from "./chat/chat-schema.ts";

/** What the API reference says about a streamed chat completion. */
export const CHAT_COMPLETION_STREAM = {
  about: `Unnamed server-sent events, each one \`data:\` line: chunks of the answer (\`chat.completion.chunk\`), then
\`[DONE]\`. With \`stream_options: {"include_usage": true}\`, a last chunk without choices carries \`usage\` and the cost
of the call. A failure after the stream has begun is a chunk with \`error\`; nothing is charged then, unless the provider
stopped because of the content: what was delivered is charged, with \`credits_charged\` and \`balance\` beside \`error\`.`,
  event: chatChunkSchema,
};

/** What the API reference says about a streamed response. */
export const RESPONSE_STREAM = {
  about: `Server-sent events, each an \`event:\` line and one \`data:\` line of JSON with the same \`type\` and a
\`sequence_number\`: \`response.created\`, \`response.in_progress\`; for each item \`response.output_item.added\`, its parts
and deltas (\`response.content_part.added\`, \`response.output_text.delta\` …, \`response.output_text.done\`,
\`response.content_part.done\`; for calls \`response.function_call_arguments.delta\` …), \`response.output_item.done\`; at the
end \`response.completed\`, \`response.incomplete\` or \`response.failed\` with the whole response.`,
  event: z.looseObject({ type: z.string(), sequence_number: z.int() }),
};

import type { ChatRequest } from "../../../gateway/src/contract/index.ts";
import { answerChat, type SandboxEvent, type TokenEstimator } from "../engine.ts";
import { closingChunks, contentChunk, type ReplyHead, wholeReply } from "./chat-reply.ts";
import { decodeChatRequest } from "./chat-request.ts";
import { type Fields, flagIn, objectIn } from "./fields.ts";
import { isInOlderForm, withoutTools, withTools } from "./older-calls.ts";

type Batches = AsyncGenerator<readonly SandboxEvent[]>;
/** In the form that the client speaks. */
type Written = (reply: Fields) => Fields;
type Reply = { readonly head: ReplyHead; readonly first: IteratorResult<readonly SandboxEvent[]> };

/** `POST /v1/chat/completions`. What fails before the first event is an error, what fails later a broken answer. */
export async function completeChat(
  body: Fields,
  model: string,
  { estimator, signal }: { readonly estimator: TokenEstimator; readonly signal: AbortSignal },
): Promise<Response> {
  const isOlder = isInOlderForm(body);
  const request: ChatRequest = decodeChatRequest(isOlder ? withTools(body) : body);
  const written = isOlder ? withoutTools : (reply: Fields) => reply;
  const isStreamed = flagIn(body, "stream") === true;
  const includesUsage = flagIn(objectIn(body, "stream_options") ?? {}, "include_usage") === true;
  const stop = new AbortController();
  const context = { requestId: "", signal: AbortSignal.any([signal, stop.signal]) };
  const batches: Batches = answerChat(estimator, request, context);
  const created = Math.floor(Date.now() / 1_000);
  const head = { id: `chatcmpl-${crypto.randomUUID()}`, created, model };
  const reply: Reply = { head, first: await batches.next() };
  if (!isStreamed) return wholeAnswer(reply, batches, written);
  const leave = () => stop.abort(new Error("the client left"));
  const frames = framesOf(reply, batches, { includesUsage, written });
  return new Response(bodyOf(frames, leave), { headers: { "content-type": "text/event-stream" } });
}

async function wholeAnswer({ head, first }: Reply, batches: Batches, written: Written): Promise<Response> {
  const events: SandboxEvent[] = [...(first.value ?? [])];
  try {
    for await (const batch of batches) events.push(...batch);
  } catch (error) {
    return new Response(bodyOf(brokenAfter(`{"id":"${head.id}"`, error)), JSON_TYPE);
  }
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("the engine ends with finish");
  return Response.json(written(wholeReply(head, events, finish)));
}

const JSON_TYPE = { headers: { "content-type": "application/json" } };

async function* brokenAfter(beginning: string, error: unknown): AsyncGenerator<string> {
  yield beginning;
  await Promise.reject(error);
}

async function* framesOf(
  { head, first }: Reply,
  batches: Batches,
  { includesUsage, written }: { readonly includesUsage: boolean; readonly written: Written },
) {
  const opened = new Set<number>();
  for (let next = first; !next.done; next = await batches.next()) {
    let text = "";
    for (const event of next.value) {
      const index = "index" in event ? (event.index ?? 0) : 0;
      const chunks =
        event.type === "finish"
          ? closingChunks(head, event, includesUsage)
          : [contentChunk(head, event, !opened.has(index))];
      opened.add(index);
      for (const chunk of chunks) text += `data: ${JSON.stringify(written(chunk))}\n\n`;
    }
    yield text;
  }
  yield "data: [DONE]\n\n";
}

/** What was written before must have left by then, and clients forget what they have not read when it ends so. */
const LAST_WORDS_MS = 50;

/** Read as fast as the client does. A failure ends the connection, so that nobody takes the answer for complete. */
function bodyOf(frames: AsyncGenerator<string>, leave: () => void = () => {}): ReadableStream {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await frames.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch {
        await Bun.sleep(LAST_WORDS_MS);
        // Without a reason, since the runtime would print it.
        controller.error(undefined);
      }
    },
    cancel: leave,
  });
}

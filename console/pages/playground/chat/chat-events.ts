import type { ChatEnd } from "../replies.ts";

type ChatEvent =
  | { readonly event: "connection_established"; readonly data: { readonly request_id: string } }
  | { readonly event: "content"; readonly data: { readonly content: string } }
  | { readonly event: "done"; readonly data: ChatEnd }
  | {
      readonly event: "error";
      readonly data: { readonly error: { readonly code: string; readonly message: string } };
    };

/** The events of a streamed chat as they arrive, grouped by chunk. */
export async function* chatEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    const events = blocks.flatMap(decode);
    if (events.length > 0) yield events;
  }
}

/** Comments, which keep the connection alive, yield nothing. */
function decode(block: string): ChatEvent[] {
  const lines = block.split("\n");
  const event = lines.find((line) => line.startsWith("event: "))?.slice("event: ".length);
  const data = lines.find((line) => line.startsWith("data: "))?.slice("data: ".length);
  return event && data ? [{ event, data: JSON.parse(data) } as ChatEvent] : [];
}

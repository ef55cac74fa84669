/** An upstream with long streams, one word every PAUSE_MS: `bun slow-readers-upstream.ts PORT WORDS PAUSE_MS` */
const [port = 0, words = 0, pauseMs = 0] = process.argv.slice(2).map(Number);

const encoder = new TextEncoder();
const HEAD = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };
const chunk = (delta: object, finishReason: string | null) =>
  encoder.encode(
    `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`,
  );
const FIRST = chunk({ role: "assistant", content: "" }, null);
const WORD = chunk({ content: "word " }, null);
const usage = { prompt_tokens: 20, completion_tokens: words, total_tokens: words + 20 };
const LAST = encoder.encode(
  `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage })}\n\ndata: [DONE]\n\n`,
);

Bun.serve({
  port,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    await request.bytes();
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(FIRST),
      async pull(controller) {
        await Bun.sleep(pauseMs);
        if (sent++ < words) return controller.enqueue(WORD);
        controller.enqueue(LAST);
        controller.close();
      },
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  },
});

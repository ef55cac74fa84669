/**
 * The provider of every speed bench, as a program: `bun upstream.ts PORT`. Always answers the same at once: one chat
 * completion, or a stream of a hundred chunks if the body asks for one. It stays cheap, since it shares the machine
 * with what is measured; each chunk is sent in its own turn of the event loop, as a provider's would be.
 */
export const STREAMED_PIECES = 100;

const IDENTITY = { id: "chatcmpl-bench", created: 1, model: "m" };
const PROMPT_TOKENS = 20;
const CONTENT = "Hello there, this is a fixed reply of some length for testing.";

const encoder = new TextEncoder();
const completion = JSON.stringify({
  ...IDENTITY,
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: CONTENT, refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: usage(14),
});
const events = [
  choice({ role: "assistant", content: "" }, null),
  ...Array.from({ length: STREAMED_PIECES }, (_, at) => choice({ content: `word${at} ` }, null)),
  choice({}, "stop"),
  event({ choices: [], usage: usage(STREAMED_PIECES) }),
  encoder.encode("data: [DONE]\n\n"),
];

if (import.meta.main) {
  Bun.serve({
    hostname: "127.0.0.1",
    port: Number(process.argv[2]),
    idleTimeout: 0,
    fetch: async (request) => answer(await request.text()),
  });
}

function answer(body: string): Response {
  if (body.includes('"stream":true'))
    return new Response(piecesInTurn(), { headers: { "content-type": "text/event-stream" } });
  return new Response(completion, { headers: { "content-type": "application/json" } });
}

function piecesInTurn(): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = events[at];
      if (piece === undefined) return controller.close();
      at++;
      controller.enqueue(piece);
      await Bun.sleep(0);
    },
  });
}

function choice(delta: object, finish_reason: string | null): Uint8Array {
  return event({ choices: [{ index: 0, delta, finish_reason }] });
}

function event(rest: object): Uint8Array {
  return encoder.encode(
    `data: ${JSON.stringify({ ...IDENTITY, object: "chat.completion.chunk", ...rest })}\n\n`,
  );
}

function usage(completion_tokens: number) {
  return {
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens,
    total_tokens: PROMPT_TOKENS + completion_tokens,
  };
}

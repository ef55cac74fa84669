/**
 * The upstream of the scale bench, in its own process: answers every chat at once, except those that ask for a delay;
 * it counts how many of these ran concurrently, since that is what an in-flight limit promises to bound.
 */
const SLOW_MS = 20;
const reply = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "a short answer" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
});
let slowNow = 0;
let slowAtMost = 0;

async function answer(request: Request): Promise<Response> {
  if (request.method === "GET") {
    const seen = slowAtMost;
    slowAtMost = 0;
    return Response.json({ slowAtMost: seen });
  }
  const isSlow = (await request.text()).includes("take your time");
  if (isSlow) {
    slowAtMost = Math.max(slowAtMost, ++slowNow);
    await Bun.sleep(SLOW_MS);
    slowNow--;
  }
  return new Response(reply, { headers: { "content-type": "application/json" } });
}

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
process.send?.(server.port);

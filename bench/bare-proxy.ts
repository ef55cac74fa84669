/**
 * What passing on costs on our own stack, as a program: `bun bare-proxy.ts PORT UPSTREAM`. Reads the body as any
 * gateway must, sends it on, gives back what comes; checks, counts and stores nothing. No gateway of ours can be
 * cheaper, so its cost is the measure of ours.
 */
import { Hono } from "hono";

const [port, upstream = ""] = process.argv.slice(2);

const app = new Hono();
app.post("/v1/chat/completions", async (context) => {
  const asked = await context.req.json();
  const answered = await fetch(upstream, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer bench" },
    body: JSON.stringify(asked),
  });
  return asked.stream === true
    ? new Response(answered.body, { headers: { "content-type": "text/event-stream" } })
    : context.json(await answered.json());
});

Bun.serve({ hostname: "127.0.0.1", port: Number(port), idleTimeout: 0, fetch: app.fetch });

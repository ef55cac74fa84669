import type { Context } from "hono";

type Asked = { readonly stream?: unknown };

/** Forwards a chat completion and returns the reply, and nothing else: what every proxy of the benches does. */
export async function passOn(context: Context, asked: Asked, upstream: string): Promise<Response> {
  const answered = await fetch(upstream, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer bench" },
    body: JSON.stringify(asked),
  });
  return asked.stream === true
    ? new Response(answered.body, { headers: { "content-type": "text/event-stream" } })
    : context.json(await answered.json());
}

/**
 * What forwarding alone costs on our own stack, as a program: `bun bare-proxy.ts PORT UPSTREAM`. Reads the body as any
 * gateway must, forwards it and returns the reply; checks, counts and stores nothing. No gateway of ours can be
 * cheaper, so ours is measured against its cost.
 */
import { Hono } from "hono";
import { passOn } from "./pass-on.ts";

const [port, upstream = ""] = process.argv.slice(2);

const app = new Hono();
app.post("/v1/chat/completions", async (context) => passOn(context, await context.req.json(), upstream));

Bun.serve({ hostname: "127.0.0.1", port: Number(port), idleTimeout: 0, fetch: app.fetch });

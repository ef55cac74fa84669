import { createHmac } from "node:crypto";
import { parseForm } from "./form-body.ts";
import { createStripeBooks, newId, type StripeBooks } from "./stripe-books.ts";
import type { Event } from "./stripe-objects.ts";

const STRIPE_KEY = "sk_test_0123456789abcdef";
/** A key that may only read invoices. */
export const RESTRICTED_KEY = "rk_test_0123456789abcdef";
const WEBHOOK_SECRET = "whsec_0123456789abcdef";

/** Body and signature header as Stripe would send them. */
export type SignedReport = { readonly body: Uint8Array; readonly signature: string };

/**
 * A fake Stripe on its real wire: form bodies in, JSON out, keys, idempotency, and a checkout page. For tests of
 * billing and payments; point a gateway at it with `settings`.
 */
export type FakeStripe = StripeBooks & {
  readonly settings: { secretKey: string; webhookSecret: string; apiUrl: string };
  /** Requests received, as `POST /v1/checkout/sessions`. */
  readonly asked: readonly string[];
  /** The next `count` requests fail as if Stripe were down. */
  failNext(count: number): void;
  stop(): void;
};

type FakeStripeOptions = {
  /** Stripe's clock, in seconds. */
  now(): number;
  /** Called with the events that a payment in the browser causes. */
  onReports?(events: readonly Event[]): Promise<void>;
};

export function startFakeStripe(options: FakeStripeOptions): FakeStripe {
  const books = createStripeBooks(options.now);
  const replies = new Map<string, object>();
  const asked: string[] = [];
  let failures = 0;

  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  const origin = `http://127.0.0.1:${server.port}`;

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const hosted = /^\/pay\/(\w+)$/.exec(pathname)?.[1];
    if (hosted !== undefined) return answerPayer(request.method, hosted);
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    asked.push(`${request.method} ${pathname}`);
    if (failures > 0) {
      failures--;
      return problem(503, "down");
    }
    const secret = request.headers.get("authorization");
    if (secret !== `Bearer ${STRIPE_KEY}` && secret !== `Bearer ${RESTRICTED_KEY}`)
      return problem(401, "key");
    if (
      secret === `Bearer ${RESTRICTED_KEY}` &&
      request.method === "POST" &&
      pathname.startsWith("/v1/invoices/")
    )
      return problem(403, "permissions");
    const key = request.headers.get("idempotency-key");
    const known = key === null ? undefined : replies.get(key);
    if (known !== undefined) return Response.json(known);
    const reply = route(books, {
      method: request.method,
      path: pathname.split("/").slice(2),
      body: await request.text(),
      origin,
    });
    if (reply === undefined) return problem(404, "resource_missing");
    if (reply === "refused") return problem(400, "invalid_state");
    if (key !== null && request.method === "POST") replies.set(key, reply);
    return Response.json(reply);
  }

  /** The page on which the payer enters a card. */
  async function answerPayer(method: string, sessionId: string): Promise<Response> {
    const session = books.sessions.get(sessionId);
    if (!session) return new Response("gone", { status: 404 });
    if (method === "POST") {
      await options.onReports?.(books.pay(sessionId));
      return Response.redirect(session.success_url, 303);
    }
    const links = `<a href="${session.success_url}">skip</a> <a href="${session.cancel_url}">back</a>`;
    const form = '<form method="post"><button>Pay</button></form>';
    return new Response(`<title>Stripe</title><h1>${session.title}</h1>${form}${links}`, {
      headers: { "content-type": "text/html" },
    });
  }

  return {
    ...books,
    settings: { secretKey: STRIPE_KEY, webhookSecret: WEBHOOK_SECRET, apiUrl: origin },
    asked,
    failNext: (count) => {
      failures = count;
    },
    stop: () => void server.stop(true),
  };
}

type Asked = { method: string; path: string[]; body: string; origin: string };

function route(books: StripeBooks, { method, path, body, origin }: Asked): object | "refused" | undefined {
  const [first, second, third, fourth] = path;
  const form = parseForm(body);
  if (first === "checkout" && second === "sessions") {
    if (third === undefined) return books.createSession(form, origin);
    return fourth === "expire" ? books.expireOpen(third) : books.sessions.get(third);
  }
  if (first === "products") return { id: newId("prod"), object: "product" };
  if (first === "billing_portal") {
    return { id: newId("bps"), url: `https://billing.example/portal?${new URLSearchParams(body)}` };
  }
  if (first === "invoices") {
    return method === "POST" ? books.changeInvoice(second ?? "", form) : books.invoice(second ?? "");
  }
  const subscription = first === "subscriptions" ? books.subscriptions.get(second ?? "") : undefined;
  if (!subscription || method === "GET") return subscription;
  if (subscription.status === "canceled") return "refused";
  if (method === "DELETE") return Object.assign(subscription, { status: "canceled" });
  return books.change(subscription, form);
}

/** Signed without the official library, so that a fault of the library would be noticed. */
export function signReport(
  event: object,
  { secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1000) } = {},
): SignedReport {
  const body = JSON.stringify(event);
  const v1 = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { body: new TextEncoder().encode(body), signature: `t=${timestamp},v1=${v1}` };
}

function problem(status: number, code: string): Response {
  return Response.json({ error: { type: "invalid_request_error", code, message: code } }, { status });
}

import type { Payments } from "../../billing/index.ts";
import { AppError } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { createBodyReader } from "../body/body.ts";
import type { Mount } from "../context.ts";

const MAX_REPORT_BYTES = 1024 * 1024;
const REPORTS_AT_ONCE = 8;
const BODY_TIMEOUT_MS = 20_000;

/** Stripe shows a 409 as failed, so that the owner of the Stripe account sees it, too. */
const STATUSES = { done: 200, ignored: 200, refused: 409, forged: 400 } as const;

/**
 * Receives Stripe's payment events. The raw bytes are passed on, because the signature covers bytes, not parsed JSON.
 * A failure on our side answers 500, and Stripe sends the event again.
 */
export function stripeWebhook({ payments, log }: { payments: Pick<Payments, "receive">; log: Log }): Mount {
  const bodies = createBodyReader({
    bigBodyBytes: 64 * 1024,
    bigBodiesAtOnce: REPORTS_AT_ONCE,
    timeoutMs: BODY_TIMEOUT_MS,
  });

  async function answer(request: Request): Promise<Response> {
    if (request.method !== "POST") return reply(405, "POST only", { allow: "POST" });
    const signature = request.headers.get("stripe-signature") ?? "";
    if (signature === "") return reply(400, "not signed");
    const body = await bodies.read(request, { limitBytes: MAX_REPORT_BYTES, use: (bytes) => bytes });
    const received = await payments.receive(body, signature);
    return reply(STATUSES[received], received);
  }

  return {
    path: "/webhooks/stripe",
    async handle(request) {
      try {
        return await answer(request);
      } catch (error) {
        if (error instanceof AppError && error.status < 500) {
          return reply(error.status, error.message, { connection: "close" });
        }
        log.error("payment_report_failed", { error });
        return reply(500, "failed on our side: report it again");
      }
    },
  };
}

function reply(status: number, received: string, headers: Record<string, string> = {}): Response {
  return Response.json({ received }, { status, headers: { "cache-control": "no-store", ...headers } });
}

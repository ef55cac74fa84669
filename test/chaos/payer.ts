import { createRandom } from "../simulation/random.ts";
import { signReport } from "../stripe/fake-stripe.ts";
import type { Event } from "../stripe/stripe-objects.ts";
import type { RunOperator, RunOrganization } from "./operator.ts";
import type { Stage } from "./stage.ts";

export type Payer = {
  /** What was paid at Stripe, whether or not a node has received the report yet. */
  readonly paid: ReadonlyMap<string, number>;
  /** Resolves when every report of a payment was received. */
  stop(): Promise<void>;
};

const PACK = "tiny";
const PACK_CREDITS = 100;
const EVERY_MS = [300, 2_500] as const;
const RETRY_MS = 90;
const REPORT_LIMIT_MS = 5_000;

/**
 * Buys credits for the poor organizations. Stripe reports each payment until the report is accepted, and sometimes
 * again.
 */
export function startPayer(input: {
  stage: Stage;
  operator: RunOperator;
  seed: number;
  poor: readonly RunOrganization[];
}): Payer {
  const random = createRandom(input.seed ^ 0x9a7);
  const paid = new Map<string, number>();
  const over = Promise.withResolvers<void>();
  let isOver = false;

  async function buy(orgId: string): Promise<Event | null> {
    const buyer = { orgId, userId: crypto.randomUUID(), email: "owner@example.com" };
    const billingUrl = `${input.stage.straight[0]}/console/billing`;
    const ordered = await input.operator.services.payments
      .buyPacks({ ...buyer, billingUrl }, [PACK])
      .catch(() => null);
    if (ordered?.outcome !== "ok") return null;
    return input.stage.stripe.pay(ordered.url.split("/").at(-1) ?? "")[0] ?? null;
  }

  /** Like Stripe: repeats until the answer is 200. */
  async function report(event: Event): Promise<void> {
    for (let tries = random.between(0, 1); ; tries++) {
      const { body, signature } = signReport(event);
      const heard = await fetch(`${input.stage.origins[tries % 2 === 0 ? 0 : 1]}/webhooks/stripe`, {
        method: "POST",
        headers: { "stripe-signature": signature },
        body: new Blob([body as BlobPart]),
        signal: AbortSignal.timeout(REPORT_LIMIT_MS),
      }).catch(() => null);
      if (heard?.status === 200) return;
      await Bun.sleep(RETRY_MS);
    }
  }

  async function run(): Promise<void> {
    while (!isOver) {
      const pause = Promise.withResolvers<void>();
      const timer = setTimeout(pause.resolve, random.between(...EVERY_MS));
      await Promise.race([pause.promise, over.promise]);
      clearTimeout(timer);
      const { id } = random.pick(input.poor);
      const event = await buy(id);
      if (event === null) continue;
      paid.set(id, (paid.get(id) ?? 0) + PACK_CREDITS);
      await report(event);
      if (random.chance(0.3)) await report(event);
    }
  }
  const running = run();

  return {
    paid,
    async stop() {
      isOver = true;
      over.resolve();
      await running;
    },
  };
}

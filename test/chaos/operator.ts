import { openPayments } from "../../gateway/src/app/payment-services.ts";
import { openLibrary, openServices, type Services } from "../../gateway/src/app/services.ts";
import { loadConfig } from "../../gateway/src/app/settings.ts";
import { OPERATOR, SCOPES } from "../../gateway/src/identity/index.ts";
import { assert, credits } from "../../gateway/src/kit/index.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { createRandom } from "../simulation/random.ts";
import type { Stage } from "./stage.ts";

export type RunOrganization = { readonly id: string; readonly key: string };

/** Creates organizations and buys credits for them, directly at the database and without a lease. */
export type RunOperator = {
  readonly services: Services & ReturnType<typeof openPayments> & ReturnType<typeof openLibrary>;
  found(plan: string, anytime: number): Promise<RunOrganization>;
  close(): Promise<void>;
};

export async function openOperator(stage: Stage): Promise<RunOperator> {
  const config = loadConfig(stage.environment, stage.folder);
  const base = await openServices(config, { log: silentLog, prepares: true });
  const { secret, library } = openLibrary(base);
  const services = { ...base, ...openPayments({ ...base, secret }), secret, library };
  let founded = 0;
  return {
    services,
    async found(plan, anytime) {
      const name = `org-${++founded}`;
      const created = await services.identity.organizations.create({ name, slug: name, plan });
      assert(created.outcome === "ok", `founding ${name}: ${created.outcome}`);
      const { id } = created.organization;
      await services.billing.startPlan(id);
      await services.ledger.grant({
        ...{ orgId: id, pool: "anytime", amount: credits(anytime), reference: null, expiresAt: null },
        ...{ kind: "manual", description: "random run" },
      });
      const minted = await services.identity.keys.mint({
        ...{ organizationId: id, name: "run", scopes: [...SCOPES], actor: OPERATOR },
      });
      assert(minted.outcome === "ok", `minting: ${minted.outcome}`);
      return { id, key: minted.secret };
    },
    close: () => services.close(),
  };
}

const PLENTY = 50_000_000;

/** Two thirds have more than they can spend, half of those from a plan first; the last third soon runs out. */
export async function foundAll(
  operator: RunOperator,
  seed: number,
  count: number,
): Promise<RunOrganization[]> {
  const random = createRandom(seed ^ 0x0f0);
  const rich = Math.ceil((count * 2) / 3);
  const founded: RunOrganization[] = [];
  for (let at = 0; at < count; at++) {
    if (at >= rich) founded.push(await operator.found("free", random.between(5, 120)));
    else founded.push(await operator.found(random.chance(0.5) ? "pro" : "enterprise", PLENTY));
  }
  return founded;
}

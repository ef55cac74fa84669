import type { z } from "zod";
import { present } from "../kit/index.ts";
import { AUDIT_OPERATIONS } from "./audit.ts";
import { BILLING_OPERATIONS } from "./billing.ts";
import { BUYING_OPERATIONS } from "./buying.ts";
import { CREDIT_OPERATIONS } from "./credits.ts";
import { INVITATION_OPERATIONS } from "./invitations.ts";
import { KEY_OPERATIONS } from "./keys.ts";
import { LIBRARY_OPERATIONS } from "./library.ts";
import { MEMBER_OPERATIONS } from "./members.ts";
import { MODEL_OPERATIONS } from "./models.ts";
import type { Operation } from "./operation.ts";
import { OPERATOR_OPERATIONS } from "./operators.ts";
import { ORGANIZATION_OPERATIONS } from "./organizations.ts";
import { REQUEST_OPERATIONS } from "./requests.ts";
import { USAGE_OPERATIONS } from "./usage.ts";
import { WEBHOOK_OPERATIONS } from "./webhooks.ts";

/** Every operation, in the order of the reference. */
export const OPERATIONS = [
  ...ORGANIZATION_OPERATIONS,
  ...KEY_OPERATIONS,
  ...MEMBER_OPERATIONS,
  ...INVITATION_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...BILLING_OPERATIONS,
  ...BUYING_OPERATIONS,
  ...CREDIT_OPERATIONS,
  ...LIBRARY_OPERATIONS,
  ...MODEL_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...OPERATOR_OPERATIONS,
  ...AUDIT_OPERATIONS,
] as const;
export type OperationTable = (typeof OPERATIONS)[number];

/** What an operation answers. */
export type OutputOf<Name> = z.output<Extract<OperationTable, { readonly name: Name }>["output"]>;

const BY_NAME: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((one) => [one.name, one]));

export function operationNamed(name: OperationTable["name"]): Operation {
  return present(BY_NAME.get(name), `the operation ${name}`);
}

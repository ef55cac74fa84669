import { CONSOLE, OPERATIONS, PAYMENTS } from "./rows/console-and-operations.ts";
import { KEYS, PARSING, TRANSPORT } from "./rows/keys-and-parsing.ts";
import { MEDIA, TENANCY } from "./rows/media-and-tenancy.ts";
import { MONEY, UPSTREAM } from "./rows/money-and-upstream.ts";
import type { AttackGroup } from "./rows/row.ts";

/** Every attack that we know of, and the tests that prove the defence. `npm run attacks` runs them. */
export const ATTACKS: readonly AttackGroup[] = [
  ...[KEYS, PARSING, TRANSPORT, MEDIA, TENANCY],
  ...[MONEY, UPSTREAM, CONSOLE, PAYMENTS, OPERATIONS],
];

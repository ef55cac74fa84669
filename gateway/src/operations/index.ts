/**
 * The one table of what people and programs may administer, and the audit log of what they did.
 * Owns each operation's name, right, input, output, words and work, and who may call it. The console's API, the
 * management REST interface and the command line are faces of it: they add wording, never a rule.
 * Refuses to know sessions, cookies, HTTP and terminals, and what nouns decide for themselves.
 *
 * Invariants:
 * - A write runs in one transaction, under its organization's lock, and says what it changed; the audit row is written
 *   in the same transaction. What needs another system begins after the commit.
 * - The right is checked before the input is read, and again inside the transaction.
 * - An organization of others answers exactly like one that does not exist.
 * - The audit log only grows, in a chain of hashes per organization and one for the operator, and holds only fields of
 *   a closed list.
 */
export { saveAct } from "./audit-store.ts";
export { acceptedBy, type InputField, inputFields, valueOfText } from "./input-fields.ts";
export { KEY } from "./keys.ts";
export { type Caller, FILE, type FileReply, type Operation } from "./operation.ts";
export { ORGANIZATION } from "./organizations.ts";
export { authorize, perform } from "./perform.ts";
export {
  busy,
  conflict,
  forbidden,
  invalidInput,
  mailBusy,
  noSuch,
  type Problem,
  Refused,
  refused,
  tooMany,
} from "./problem.ts";
export type { Mail, OperationServices, ServingServices } from "./services.ts";
export { OPERATIONS, type OperationTable, type OutputOf, operationNamed } from "./table.ts";
export { camelName, renamed, snakeName } from "./wire-names.ts";

import { alignFields, alignTable } from "./columns.ts";
import type { Command } from "./command.ts";
import { refuseTwoEnds } from "./flag-values.ts";
import { commandFor, ORG_FLAG } from "./operation-command.ts";
import { commandText, momentText } from "./wording.ts";

const ORG = { ...ORG_FLAG, about: "of this organization (default: the operator's)", required: false };
const KEY = { name: "key", value: "KEY_ID", positional: true };

export const operatorCommands: readonly Command[] = [
  commandFor("management-key.create", {
    path: ["manage-key", "create"],
    org: ORG,
    flags: { expiresIn: { value: "TIME" }, expiresAt: { value: "MOMENT" } },
    check: refuseTwoEnds,
    text: ({ key, id, scopes, expiresAt }, { organization, paint }) =>
      `A management key for ${organization?.name ?? "every organization"}, shown only once:\n\n  ${paint("bold", key)}\n\n${alignFields(
        [
          ["id", id],
          ["scopes", scopes.join(",")],
          ["expires", expiresAt ? momentText(expiresAt) : "never"],
        ],
      )}`,
  }),
  commandFor("management-key.list", {
    path: ["manage-key", "list"],
    org: ORG,
    text({ managementKeys }, { paint }) {
      const rows = managementKeys.map((key) => [
        key.name,
        key.lastFour,
        key.scopes.join(","),
        key.state,
        key.lastUsedAt ? momentText(key.lastUsedAt) : "never",
        key.id,
      ]);
      const ifNone = `There is none yet: ${commandText("manage-key create --name NAME --scopes all")} creates one.`;
      return alignTable(paint, ["NAME", "ENDS IN", "SCOPES", "STATE", "LAST USED", "ID"], rows, ifNone);
    },
  }),
  commandFor("management-key.revoke", {
    path: ["manage-key", "revoke"],
    org: ORG,
    flags: { id: KEY },
    text: ({ name, lastFour }) => `The management key ${name} (…${lastFour}) no longer works.`,
  }),
  commandFor("operator.add", {
    org: null,
    text: ({ name, email }) => `${name} (${email}) is an operator.`,
  }),
  commandFor("operator.list", {
    org: null,
    text({ operators }, { paint }) {
      const rows = operators.map(({ email, name, addedAt }) => [email, name, momentText(addedAt)]);
      const ifNone = `Nobody is: ${commandText("operator add --email EMAIL")} adds a person.`;
      return alignTable(paint, ["EMAIL", "NAME", "SINCE"], rows, ifNone);
    },
  }),
  commandFor("operator.remove", {
    org: null,
    text: ({ name, email }) => `${name} (${email}) is no operator any more.`,
  }),
  commandFor("audit.list", {
    org: ORG,
    text({ rows, nextCursor }, { paint }) {
      const heading = ["TIME", "WHO", "THROUGH", "WHAT", "OF"];
      const cells = rows.map((row) => [
        momentText(row.at),
        row.actorName,
        row.face,
        row.operation,
        row.objectName ?? row.objectId,
      ]);
      const table = alignTable(paint, heading, cells, "Nothing is in the log yet.");
      return nextCursor === null ? table : `${table}\n\nOlder ones: --cursor ${nextCursor}`;
    },
  }),
];

import { type Database, howToOwnDatabase, howToOwnTables, NOT_ALLOWED } from "../../db/index.ts";
import { codeOf } from "../../kit/index.ts";
import { loadRights } from "../store.ts";
import { countText } from "../wording.ts";
import { broken, type Check, reasonOf, warning } from "./check.ts";

/** For a database that has the tables: whether the role may write to them. Empty if it may. */
export async function checkRights(db: Database): Promise<Check[]> {
  const { role, takesWrites, closedTables, mayMakePartitions } = await loadRights(db);
  if (!takesWrites) {
    return [
      broken(
        "rights",
        `the database takes no writes from the role ${role}`,
        "Name the server that takes writes, if this is a standby, or run `alter role … reset default_transaction_read_only`.",
      ),
    ];
  }
  if (closedTables.length > 0) {
    const tables = `${countText(closedTables.length, "table")}, such as ${closedTables[0]}`;
    return [broken("rights", `the role ${role} may not write to ${tables}`, ownerMend(role))];
  }
  if (mayMakePartitions) return [];
  return [
    warning(
      "rights",
      `the role ${role} may not make partitions of requests: the calls of all coming months stay in one partition`,
      `Run \`alter table requests owner to ${role}\` and \`grant create on schema … to ${role}\`.`,
    ),
  ];
}

/** Which right the role lacks to apply the `pending` migrations; null if none. */
export async function checkRightsToMigrate(db: Database, pending: string): Promise<Check | null> {
  const { role, mayCreate, ownsFunctions, hasSchema } = await loadRights(db);
  if (!hasSchema) {
    return broken(
      "migrations",
      `${pending}, and no schema of the search_path exists`,
      "Run `alter role … reset search_path` and `alter database … reset search_path`, or make the schema.",
    );
  }
  if (mayCreate && ownsFunctions) return null;
  return mayCreate
    ? broken("migrations", `${pending}, and the role ${role} does not own the functions`, ownerMend(role))
    : broken(
        "migrations",
        `${pending}, and the role ${role} may not create tables`,
        sentence(howToOwnDatabase(role)),
      );
}

/** For an error that the role may not read: the server is there, and host and port are right. Null for other errors. */
export function checkRefusal(what: string, error: unknown): Check | null {
  if (codeOf(error) !== NOT_ALLOWED) return null;
  return broken("rights", `${what} names a role that may not read (${reasonOf(error)})`, ownerMend("…"));
}

function ownerMend(role: string): string {
  return sentence(howToOwnTables(role));
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

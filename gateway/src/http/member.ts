import { AppError, parseUuid } from "../kit/index.ts";
import type { HttpDeps } from "./context.ts";

const HEADER = "X-Member-User-Id";

/** The user whom a call is for, or null. An unknown, removed or another organization's user gets the same error. */
export function memberUserIdOf(
  members: HttpDeps["identity"]["members"],
  organizationId: string,
  headers: Headers,
): string | null | Promise<string> {
  const given = headers.get(HEADER);
  if (given === null) return null;
  const userId = parseUuid(given);
  if (userId === undefined) throw notAMember();
  const known = members.isMember(organizationId, userId);
  if (known === true) return userId;
  return Promise.resolve(known).then((isMember) => {
    if (!isMember) throw notAMember();
    return userId;
  });
}

function notAMember(): AppError {
  const message = `${HEADER}: must be the user id of a member of the key's organization`;
  return new AppError("validation_error", message, { field: HEADER });
}

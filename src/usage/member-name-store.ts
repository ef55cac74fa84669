/**
 * The name of a member of organization `$1`. Null for who has left: what they call themselves since then is theirs.
 * Read by the key of `member`, whose index begins with the organization.
 */
export function memberNameOf(userId: string): string {
  return `(select u.name from member m join "user" u on u.id = m."userId"
    where m."organizationId" = $1 and m."userId" = ${userId})`;
}

/** No id is before this one, and nothing of ours is ever given it: whoever forges a row may do so. */
export const LOWEST_ID = "00000000-0000-0000-0000-000000000000";
export const HIGHEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * A condition of SQL: behind the id that was seen last; from the lowest one on, that one too. The first half alone is
 * where an index begins.
 */
export function isBehind(column: string, last: string): string {
  return `${column} >= ${last} and (${column} > ${last} or ${last} = '${LOWEST_ID}')`;
}

/** No id sorts before this one. We never generate it, but a forged row may have it. */
export const LOWEST_ID = "00000000-0000-0000-0000-000000000000";
export const HIGHEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * SQL condition: `column` is after the last id seen, or equal to it if that is the lowest id. The `>=` looks redundant,
 * but lets an index scan start there.
 */
export function isBehind(column: string, last: string): string {
  return `${column} >= ${last} and (${column} > ${last} or ${last} = '${LOWEST_ID}')`;
}

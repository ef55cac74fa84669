/**
 * A call that ends today may have begun yesterday: a video job lives for an hour at most, and gateways'
 * clocks differ a little.
 */
const LONGEST_CALL = "interval '90 minutes'";

/**
 * Ids carry the time of the gateway that made them, rows that of the database, and either clock may be the wrong one. So
 * the range of ids that is looked at begins by whichever is behind and ends by whichever is ahead: it only bounds what is
 * read, and which rows are shown is the database's to say. The clock of a third, which made the ids, nobody knows: what it
 * began may be missed where that is further off than `LONGEST_CALL` allows for.
 */
export function lowestIdOf({ gatewayMs, days }: { gatewayMs: string; days: string }): string {
  return `(select id_at(greatest('epoch'::timestamptz, least(bursar_now(), ${timeOf(gatewayMs)})
    - ${days}::integer * interval '1 day' - ${LONGEST_CALL})))`;
}

/** How far ahead of the database's clock ids may be. */
export function aheadOf(gatewayMs: string): string {
  return `greatest(interval '0', ${timeOf(gatewayMs)} - bursar_now())`;
}

function timeOf(gatewayMs: string): string {
  return `to_timestamp(${gatewayMs}::double precision / 1000)`;
}

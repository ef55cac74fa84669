/**
 * A call that ends today may have begun yesterday: a video job lives for at most an hour, and gateways' clocks differ a
 * little.
 */
const LONGEST_CALL = "interval '90 minutes'";

/**
 * Request ids carry the time of the gateway that made them, rows that of the database, and either clock may be wrong.
 * So the range of ids to scan starts by the clock that is behind and ends by the one that is ahead. The range only
 * bounds what is read; the database's time decides which rows are shown. An id may also come from a third machine,
 * whose clock we do not know: if it is off by more than `LONGEST_CALL` allows for, its calls may be missed.
 */
export function lowestIdOf({ gatewayMs, days }: { gatewayMs: string; days: string }): string {
  return `(select id_at(greatest('epoch'::timestamptz, least(bursar_now(), ${timeOf(gatewayMs)})
    - ${days}::integer * interval '1 day' - ${LONGEST_CALL})))`;
}

/** How far ids may be ahead of the database's clock. */
export function aheadOf(gatewayMs: string): string {
  return `greatest(interval '0', ${timeOf(gatewayMs)} - bursar_now())`;
}

function timeOf(gatewayMs: string): string {
  return `to_timestamp(${gatewayMs}::double precision / 1000)`;
}

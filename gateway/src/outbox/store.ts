import type pg from "pg";
import type { Database } from "../db/index.ts";
import type { EventData, OutboxEvent } from "./events.ts";

/** A connection, or the transaction of whoever calls. */
export type Queryable = Pick<pg.ClientBase, "query">;

export const ENDPOINT_KINDS = ["webhook", "slack", "email"] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** An endpoint as people may see it. */
export type Endpoint = {
  readonly id: string;
  readonly kind: EndpointKind | "owners";
  /** The host of a URL, the address of an email. */
  readonly host: string;
  /** Empty: all. */
  readonly types: readonly string[];
  readonly createdAt: Date;
  readonly pausedAt: Date | null;
  readonly failingSince: Date | null;
  /** Until when the secret before a rotation signs as well. */
  readonly retiredUntil: Date | null;
};

const ENDPOINT = `id, kind, host, types, created_at as "createdAt", paused_at as "pausedAt", failing_since as "failingSince",
  case when retired_until > bursar_now() then retired_until end as "retiredUntil"`;

const EVENT = `e.id, e.org_id as "orgId", e.seq::float8 as seq, e.type, e.created_at as "createdAt", e.data`;

/** For what has no transaction of its own to be written in; an equal event of the last hour stands for it. */
export async function saveEvent(db: Database, orgId: string, type: string, data: EventData): Promise<void> {
  await db.pool.query(
    `select event_append($1, $2, $3::jsonb) where not exists (select from events
       where org_id = $1 and type = $2 and data = $3::jsonb and created_at > bursar_now() - interval '1 hour'
         and id >= id_at(bursar_now() - interval '1 hour'))`,
    [orgId, type, JSON.stringify(data)],
  );
}

export async function saveFannedOut(db: Database, hasMail: boolean): Promise<number> {
  const { rows } = await db.pool.query<{ events: number }>({
    name: "events_fan_out",
    text: "select events_fan_out($1) as events",
    values: [hasMail],
  });
  return rows[0]?.events ?? 0;
}

/** Of an endpoint, what one node delivers at a time. */
export type Claim = {
  readonly endpointId: string;
  readonly orgId: string;
  readonly orgName: string | null;
  readonly kind: Endpoint["kind"];
  readonly address: string | null;
  readonly secrets: readonly string[];
  readonly pace: number;
  /** With microseconds; also identifies the claim. */
  readonly busyUntil: string;
  readonly due: readonly { readonly event: OutboxEvent; readonly attempts: number }[];
};

type ClaimRow = Omit<Claim, "due"> & { readonly due: readonly DueRow[] };
type DueRow = Omit<OutboxEvent, "createdAt"> & { readonly createdAt: string; readonly attempts: number };

const IS_DUE = `p.paused_at is null and p.due_at <= bursar_now() and (p.busy_until is null or p.busy_until <= bursar_now())
  and (p.kind in ('email', 'owners')) = $1
  and not exists (select from organization o where o.id = p.org_id and not o.active)`;

/**
 * Endpoints that have something due, at most `room` of each pace. Nobody else gets them until they are finished, or
 * `busyMs` later. A quick one brings up to `most` deliveries, others one.
 */
export async function claimEndpoints(
  db: Database,
  input: { isMail: boolean; room: readonly number[]; most: number; busyMs: number },
): Promise<Claim[]> {
  const { rows } = await db.pool.query<ClaimRow>({
    name: "endpoints_claim",
    // The claim may be lost with the server, and is made again: it needs no flush of its own.
    text: `with unflushed as materialized (select set_config('synchronous_commit', 'off', true)),
      due as (
        select p.id, row_number() over (partition by p.pace order by p.due_at) <= ($2::integer[])[p.pace + 1] as has_room
        from endpoints p where ${IS_DUE}),
      free as (
        select p.id from endpoints p where ${IS_DUE} and p.id in (select d.id from due d where d.has_room)
        order by p.due_at for update skip locked),
      taken as (
        update endpoints p set busy_until = bursar_now() + $4::integer * interval '1 ms' from free
        where p.id = free.id returning p.*)
      select t.id as "endpointId", t.org_id as "orgId", o.name as "orgName", t.kind, t.address, t.pace,
        array_remove(array[t.secret, case when t.retired_until > bursar_now() then t.retired_secret end], null) as secrets,
        t.busy_until::text as "busyUntil",
        coalesce((select json_agg(w) from (
          select ${EVENT}, d.attempts from deliveries d join events e on e.id = d.event_id
          where d.endpoint_id = t.id and d.status = 'waiting' and d.next_at <= bursar_now()
          order by d.next_at, d.event_id limit case when t.pace = 2 then $3::integer else 1 end) w), '[]') as due
      from unflushed cross join taken t left join organization o on o.id = t.org_id`,
    values: [input.isMail, input.room, input.most, input.busyMs],
  });
  return rows.map((row) => ({
    ...row,
    due: row.due.map(({ attempts, ...event }) => ({
      attempts,
      event: { ...event, createdAt: new Date(event.createdAt) },
    })),
  }));
}

/** What became of one try. */
export type Tried = {
  readonly event_id: string;
  readonly status: "delivered" | "waiting" | "failed";
  readonly http_status: number | null;
  readonly ms: number;
  readonly problem: string | null;
  /** Until the next try. */
  readonly again_ms: number | null;
};

export async function saveTried(
  db: Database,
  claim: Pick<Claim, "endpointId" | "busyUntil">,
  pace: number | null,
  tried: readonly Tried[],
): Promise<void> {
  await db.pool.query({
    name: "deliveries_finish",
    text: "select deliveries_finish($1, $2::timestamptz, $3::smallint, $4::jsonb)",
    values: [claim.endpointId, claim.busyUntil, pace, JSON.stringify(tried)],
  });
}

export async function isMembersEmail(client: Queryable, orgId: string, email: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from member m join "user" u on u.id = m."userId" where m."organizationId" = $1 and u.email = $2`,
    [orgId, email],
  );
  return rows.length > 0;
}

type NewEndpoint = Pick<Endpoint, "id" | "host" | "types"> & {
  readonly orgId: string;
  readonly kind: EndpointKind;
  readonly address: string;
  readonly secret: string | null;
};

/** Undefined if the organization has `most` already. Its row's lock makes those who ask at once come one by one. */
export async function insertEndpoint(
  client: Queryable,
  endpoint: NewEndpoint,
  most: number,
): Promise<Endpoint | undefined> {
  await client.query("select from organization where id = $1 for no key update", [endpoint.orgId]);
  const { rows } = await client.query<Endpoint>(
    `insert into endpoints (id, org_id, kind, host, types, address, secret, created_at)
     select $1, $2, $3, $4, $5, $6, $7, bursar_now()
     where (select count(*) from endpoints where org_id = $2 and kind <> 'owners') < $8 returning ${ENDPOINT}`,
    [
      endpoint.id,
      endpoint.orgId,
      endpoint.kind,
      endpoint.host,
      endpoint.types,
      endpoint.address,
      endpoint.secret,
      most,
    ],
  );
  return rows[0];
}

/** Oldest first; an organization has few. */
export async function loadEndpoints(client: Queryable, orgId: string): Promise<Endpoint[]> {
  const { rows } = await client.query<Endpoint>(
    `select ${ENDPOINT} from endpoints where org_id = $1 order by created_at, id`,
    [orgId],
  );
  return rows;
}

/** Names an endpoint; another organization's counts as none. */
export type EndpointRef = { readonly orgId: string; readonly id: string };

export async function loadEndpoint(client: Queryable, ref: EndpointRef): Promise<Endpoint | undefined> {
  const { rows } = await client.query<Endpoint>(
    `select ${ENDPOINT} from endpoints where org_id = $1 and id = $2 for update`,
    [ref.orgId, ref.id],
  );
  return rows[0];
}

/** What was not delivered while it was paused goes on where it stands. */
export async function saveEndpoint(
  client: Queryable,
  ref: EndpointRef,
  change: { types?: readonly string[] | undefined; paused?: boolean | undefined },
): Promise<Endpoint | undefined> {
  const { rows } = await client.query<Endpoint>(
    `update endpoints set types = coalesce($3, types),
       paused_at = case $4::boolean when true then coalesce(paused_at, bursar_now()) when false then null else paused_at end,
       failing_since = case when not $4::boolean then null else failing_since end
     where org_id = $1 and id = $2 returning ${ENDPOINT}`,
    [ref.orgId, ref.id, change.types ?? null, change.paused ?? null],
  );
  return rows[0];
}

export async function saveSecret(
  client: Queryable,
  ref: EndpointRef,
  secret: string,
  graceMs: number,
): Promise<Endpoint | undefined> {
  const { rows } = await client.query<Endpoint>(
    `update endpoints set secret = $3, retired_secret = secret,
       retired_until = bursar_now() + $4::integer * interval '1 ms'
     where org_id = $1 and id = $2 and kind = 'webhook' returning ${ENDPOINT}`,
    [ref.orgId, ref.id, secret, graceMs],
  );
  return rows[0];
}

/** That of owners stays: it can be paused. */
export async function deleteEndpoint(client: Queryable, ref: EndpointRef): Promise<Endpoint | undefined> {
  const { rows } = await client.query<Endpoint>(
    `delete from endpoints where org_id = $1 and id = $2 and kind <> 'owners' returning ${ENDPOINT}`,
    [ref.orgId, ref.id],
  );
  return rows[0];
}

export async function saveTestEvent(client: Queryable, ref: EndpointRef): Promise<void> {
  await client.query("select event_append($1, 'webhook.test', jsonb_build_object('endpoint_id', $2::text))", [
    ref.orgId,
    ref.id,
  ]);
}

/**
 * Delivers again, from the first try on: one event, or the endpoint's events since a time, the oldest `most` of them.
 * Returns how many.
 */
export async function saveReplay(
  client: Queryable,
  ref: EndpointRef,
  { eventId, since, most }: { eventId: string | null; since: Date | null; most: number },
): Promise<number> {
  const { rows } = await client.query<{ events: number }>(
    `with chosen as (
       select e.id from events e join endpoints p on p.org_id = e.org_id
       where p.org_id = $1 and p.id = $2 and e.seq is not null and (e.id = $3 or e.id >= id_at($4::timestamptz))
         and (e.id = $3 or cardinality(p.types) = 0 or e.type = any(p.types))
       order by e.id limit $5),
     again as (
       insert into deliveries as d (endpoint_id, event_id, next_at) select $2, c.id, bursar_now() from chosen c
       on conflict (endpoint_id, event_id) do update set status = 'waiting', attempts = 0, next_at = bursar_now()
       returning 1),
     woken as (update endpoints set due_at = least(due_at, bursar_now()) where id = $2 and exists (select from again))
     select count(*)::integer as events from again`,
    [ref.orgId, ref.id, eventId, since, most],
  );
  return rows[0]?.events ?? 0;
}

export type Delivery = {
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly triedAt: Date | null;
  readonly httpStatus: number | null;
  readonly ms: number | null;
  readonly problem: string | null;
};

/** Newest events first, from behind `before`. */
export async function loadDeliveries(
  client: Queryable,
  ref: EndpointRef,
  page: { before: string | null; limit: number },
): Promise<Delivery[]> {
  const { rows } = await client.query<Delivery>(
    `select d.endpoint_id as "endpointId", d.event_id as "eventId", e.type, d.status, d.attempts,
       case d.status when 'waiting' then d.next_at end as "nextAt", d.tried_at as "triedAt",
       d.http_status as "httpStatus", d.ms, d.problem
     from endpoints p join deliveries d on d.endpoint_id = p.id join events e on e.id = d.event_id
     where p.org_id = $1 and p.id = $2 and ($3::uuid is null or d.event_id < $3) order by d.event_id desc limit $4`,
    [ref.orgId, ref.id, page.before, page.limit],
  );
  return rows;
}

/** By their numbers: newest first before one, or oldest first after one. */
export async function loadEvents(
  client: Queryable,
  orgId: string,
  page: { before: number | null; after: number | null; limit: number },
): Promise<OutboxEvent[]> {
  const isAfter = page.after !== null;
  const { rows } = await client.query<OutboxEvent>(
    `select ${EVENT} from events e where e.org_id = $1 and e.seq ${isAfter ? ">" : "<"} $2::bigint
     order by e.seq ${isAfter ? "asc" : "desc"} limit $3`,
    [orgId, page.after ?? page.before ?? Number.MAX_SAFE_INTEGER, page.limit],
  );
  return rows;
}

/** Returns how many it forgot. */
export async function deleteOldEvents(
  db: Database,
  input: { keepDays: number; limit: number },
): Promise<number> {
  const { rowCount } = await db.pool.query(
    `with old as (select e.id from events e where e.id < id_at(bursar_now() - $1 * interval '1 day') order by e.id limit $2),
     told as (delete from deliveries d using old where d.event_id = old.id)
     delete from events e using old where e.id = old.id`,
    [input.keepDays, input.limit],
  );
  return rowCount ?? 0;
}

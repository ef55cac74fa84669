/** Selects calls; an absent field does not restrict them. */
export type UsageFilter = {
  /** Number of UTC days up to today or `to`, by settlement; 1 is that day only. Does not count if `from` is given. */
  readonly days: number;
  /** The first and the last UTC day, `YYYY-MM-DD`; of more than `MAX_DAYS`, the first ones. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly model?: string | undefined;
  readonly keyId?: string | undefined;
  /** Null for calls that name no member. */
  readonly memberId?: string | null | undefined;
  readonly endpoint?: string | undefined;
};

export type RowFilter = Omit<UsageFilter, "days" | "from" | "to">;

/** Collects the values of a statement; `add` returns the placeholder. */
export type Values = { readonly all: unknown[]; add(value: unknown): string };

export function createValues(...first: unknown[]): Values {
  const all = [...first];
  return { all, add: (value) => `$${all.push(value)}` };
}

/** Most days of any report. */
export const MAX_DAYS = 90;

/** The days to report, as a row of `first`, `last` and `today`. */
export function spanOf({ days, from, to }: UsageFilter, values: Values): string {
  const [count, first, last] = [values.add(days), values.add(from ?? null), values.add(to ?? null)];
  return `select coalesce(${first}::date, last - (${count}::integer - 1)) as first, last, today from (
    select least(today, ${last}::date, ${first}::date + ${MAX_DAYS - 1}) as last, today from (
      select (bursar_now() at time zone 'UTC')::date as today) now) ended`;
}

/** Uses only columns that rollups, requests and holds have in common. */
export function filterConditions(filter: RowFilter, values: Values): string[] {
  const { model, keyId, memberId, endpoint } = filter;
  const conditions: string[] = [];
  if (model !== undefined) conditions.push(`model = ${values.add(model)}`);
  if (keyId !== undefined) conditions.push(`key_id = ${values.add(keyId)}::uuid`);
  if (memberId === null) conditions.push("member_id is null");
  else if (memberId !== undefined) conditions.push(`member_id = ${values.add(memberId)}::uuid`);
  if (endpoint !== undefined) conditions.push(`endpoint = ${values.add(endpoint)}`);
  return conditions;
}

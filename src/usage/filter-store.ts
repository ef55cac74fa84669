/** Which calls are looked at; what is left out is not asked about. */
export type UsageFilter = {
  /** UTC days up to today, by settlement; 1 is today. */
  readonly days: number;
  readonly model?: string | undefined;
  readonly keyId?: string | undefined;
  /** Null: calls that nobody was named for. */
  readonly memberId?: string | null | undefined;
  readonly endpoint?: string | undefined;
};

/** Collects the values of a statement, each under its number. */
export type Values = { readonly all: unknown[]; add(value: unknown): string };

export function createValues(...first: unknown[]): Values {
  const all = [...first];
  return { all, add: (value) => `$${all.push(value)}` };
}

/** On columns that rollups, requests and holds have in common, and under the same names. */
export function filterConditions(filter: Omit<UsageFilter, "days">, values: Values): string[] {
  const { model, keyId, memberId, endpoint } = filter;
  const conditions: string[] = [];
  if (model !== undefined) conditions.push(`model = ${values.add(model)}`);
  if (keyId !== undefined) conditions.push(`key_id = ${values.add(keyId)}::uuid`);
  if (memberId === null) conditions.push("member_id is null");
  else if (memberId !== undefined) conditions.push(`member_id = ${values.add(memberId)}::uuid`);
  if (endpoint !== undefined) conditions.push(`endpoint = ${values.add(endpoint)}`);
  return conditions;
}

/** Selects calls; an absent field does not restrict them. */
export type UsageFilter = {
  /** Number of UTC days up to today, by settlement; 1 is today only. */
  readonly days: number;
  readonly model?: string | undefined;
  readonly keyId?: string | undefined;
  /** Null for calls that name no member. */
  readonly memberId?: string | null | undefined;
  readonly endpoint?: string | undefined;
};

/** Collects the values of a statement; `add` returns the placeholder. */
export type Values = { readonly all: unknown[]; add(value: unknown): string };

export function createValues(...first: unknown[]): Values {
  const all = [...first];
  return { all, add: (value) => `$${all.push(value)}` };
}

/** Uses only columns that rollups, requests and holds have in common. */
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

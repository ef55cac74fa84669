type Schema = Readonly<Record<string, unknown>>;

/** The places of a tuple, which drafts before 2020-12 list under `items`. One without places has none to name. */
export function withPlaces({ items, additionalItems, ...others }: Schema): Schema {
  return {
    ...others,
    ...(Array.isArray(items) && items.length > 0 ? { prefixItems: items } : {}),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

/** Draft 4 says beside a bound whether it is an open one. */
export function withBound(schema: Schema, bound: string, open: string): Schema {
  const { [bound]: value, [open]: isOpen, ...others } = schema;
  return value === undefined ? others : { ...others, [isOpen === true ? open : bound]: value };
}

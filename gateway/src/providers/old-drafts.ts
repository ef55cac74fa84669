type Schema = Readonly<Record<string, unknown>>;

/** Tuples: drafts before 2020-12 list the items under `items`. An empty tuple has none to list. */
export function withPlaces({ items, additionalItems, ...others }: Schema): Schema {
  return {
    ...others,
    ...(Array.isArray(items) && items.length > 0 ? { prefixItems: items } : {}),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

/** Draft 4 marks a bound as exclusive with a boolean beside it. */
export function withBound(schema: Schema, bound: string, open: string): Schema {
  const { [bound]: value, [open]: isOpen, ...others } = schema;
  return value === undefined ? others : { ...others, [isOpen === true ? open : bound]: value };
}

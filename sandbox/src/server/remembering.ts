/** The last of what was seen, by name; what is forgotten is found out again. */
export function remembering<Value>(most = 1_000) {
  const values = new Map<string, Value>();
  return {
    get: (name: string): Value | undefined => values.get(name),
    set<Seen extends Value>(name: string, value: Seen): Seen {
      const [oldest] = values.keys();
      if (oldest !== undefined && values.size >= most && !values.has(name)) values.delete(oldest);
      values.set(name, value);
      return value;
    },
  };
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id that an address names. Anything else there is none: the gateway would refuse the whole question for it. */
export function idIn(search: URLSearchParams, name: string): string | undefined {
  const value = search.get(name) ?? "";
  return ID.test(value) ? value : undefined;
}

/** What is left empty does not stand in an address. */
export function setOrLeaveOut(search: URLSearchParams, name: string, value: string): URLSearchParams {
  if (value === "") search.delete(name);
  else search.set(name, value);
  return search;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id from the URL. Anything else is ignored: the gateway would refuse the whole request for it. */
export function idIn(search: URLSearchParams, name: string): string | undefined {
  const value = search.get(name) ?? "";
  return ID.test(value) ? value : undefined;
}

/** Empty values are removed from the URL. */
export function setOrLeaveOut(search: URLSearchParams, name: string, value: string): URLSearchParams {
  if (value === "") search.delete(name);
  else search.set(name, value);
  return search;
}

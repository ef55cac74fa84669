/**
 * The library takes a field that has no value for an answer of another shape; the vendor's servers write them. What is
 * posted is answered with JSON, and what is fetched is a file.
 */
export function withoutNulls(call: typeof fetch): typeof fetch {
  const cleaned = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const response = await call(input, init);
    if (init?.method !== "POST") return response;
    const text = await response.text();
    return new Response(text.includes("null") ? cleanedJson(text) : text, response);
  };
  return Object.assign(cleaned, { preconnect: () => {} });
}

/** What is no JSON is the library's to tell. */
function cleanedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, (_name, value) => value ?? undefined));
  } catch {
    return text;
  }
}

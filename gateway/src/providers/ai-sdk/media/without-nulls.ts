/**
 * The vendor's servers send null fields, for which the library rejects the response. Responses to POST are JSON; all
 * others are files.
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

/** Invalid JSON is left for the library to report. */
function cleanedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, (_name, value) => value ?? undefined));
  } catch {
    return text;
  }
}

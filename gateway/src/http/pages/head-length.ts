/**
 * A reply to HEAD has the headers of GET, its length included, and no body. Only what a GET returns gets here, which is
 * finite and small; whatever is not states its own length.
 */
export async function withLengthForHead(
  { method }: Request,
  answering: Response | Promise<Response>,
): Promise<Response> {
  const response = await answering;
  if (method !== "HEAD" || response.body === null || response.headers.has("content-length")) return response;
  const { byteLength } = await response.arrayBuffer();
  response.headers.set("content-length", String(byteLength));
  return new Response(null, response);
}

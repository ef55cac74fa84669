/**
 * A reply to HEAD has the length that GET would have. The pattern router drops the body, and with it its length, so the
 * length is stated here. Only pages get here, which are finite and small; whatever is not states its own length.
 */
export async function withLengthForHead(
  { method }: Request,
  answering: Response | Promise<Response>,
): Promise<Response> {
  const response = await answering;
  if (method !== "HEAD" || response.body === null || response.headers.has("content-length")) return response;
  const { byteLength } = await response.arrayBuffer();
  response.headers.set("content-length", String(byteLength));
  return response;
}

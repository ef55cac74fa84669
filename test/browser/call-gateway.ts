/** One chat call, as a program would make it; returns status and body. */
export async function callChat(
  origin: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
  model = "sandbox-chat",
): Promise<{ status: number; body: { request_id: string; error?: { code: string } } }> {
  const response = await fetch(`${origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] }),
  });
  return { status: response.status, body: await response.json() };
}

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "xi-api-key",
  "openai-organization",
  "openai-project",
]);

/** What a call must not see again in a message: where it went and what it proved itself with. */
export function secretsOf(host: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const secrets = [host, host.replace(/:\d+$/, "")];
  for (const name of Object.keys(headers)) {
    const value = SECRET_HEADERS.has(name.toLowerCase()) ? (headers[name] ?? "") : "";
    if (value !== "") secrets.push(value.replace(/^\S+ /, ""));
  }
  return secrets;
}

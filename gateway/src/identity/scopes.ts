/** What a key may do. One word per family of endpoints; `GET /v1/models` accepts any of them. */
export const SCOPES = ["chat", "images", "video", "audio", "usage", "assets"] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

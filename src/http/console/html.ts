const MARKUP = Symbol("markup");

/** Markup that is safe to send. Only `html` makes it, so no value reaches a page without being escaped. */
export type Html = { readonly [MARKUP]: string };

/** Null and false leave nothing behind, so that a part of a page can be optional. */
export type HtmlValue = Html | readonly Html[] | string | number | null | false;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Right in text and in quoted attributes. Never put a value into an unquoted attribute, a script or a style. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? "";
  for (let i = 0; i < values.length; i++) text += markupOf(values[i] ?? null) + (parts[i + 1] ?? "");
  return { [MARKUP]: text };
}

export function renderHtml(markup: Html): string {
  return markup[MARKUP];
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === false) return "";
  if (typeof value === "string") return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
  if (typeof value === "number") return String(value);
  if (MARKUP in value) return value[MARKUP];
  return value.map(renderHtml).join("");
}

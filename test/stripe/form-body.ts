/** The form bodies that the official library sends, `line_items[0][price_data][currency]=usd`, as nested objects. */
export type Form = { [key: string]: string | Form };

export function parseForm(body: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== "");
    let place = form;
    for (const key of keys.slice(0, -1)) {
      const inner = place[key] ?? {};
      if (typeof inner === "string") throw new Error(`${name} is given twice`);
      place[key] = inner;
      place = inner;
    }
    place[keys.at(-1) ?? ""] = value;
  }
  return form;
}

export function part(form: Form | undefined, ...keys: string[]): Form {
  let place: Form = form ?? {};
  for (const key of keys) {
    const inner = place[key];
    place = typeof inner === "object" ? inner : {};
  }
  return place;
}

export function text(form: Form, key: string): string | null {
  const value = form[key];
  return typeof value === "string" ? value : null;
}

/** The string fields of a form, such as metadata. */
export function texts(form: Form): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

import { isObject } from "../../../kit/index.ts";

/**
 * What a text cites, from the form of chat completions. What is in the form of this wire stays as it is, and what it has
 * no form for is left out.
 */
export function encodeAnnotations(given: readonly unknown[]): readonly unknown[] {
  return given.filter(isObject).flatMap((annotation) => {
    const { type, url_citation: nested } = annotation;
    const { url, title, start_index: start, end_index: end } = isObject(nested) ? nested : annotation;
    if (type !== "url_citation" || typeof url !== "string") return [];
    return [{ type, url, title: title ?? "", start_index: start ?? 0, end_index: end ?? 0 }];
  });
}

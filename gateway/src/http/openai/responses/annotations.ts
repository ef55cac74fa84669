import { isObject } from "../../../kit/index.ts";

/**
 * Converts the citations of a text from the chat completions format. URL citations that are in the format of this wire
 * keep it; all other annotations are left out.
 */
export function encodeAnnotations(given: readonly unknown[]): readonly unknown[] {
  return given.filter(isObject).flatMap((annotation) => {
    const { type, url_citation: nested } = annotation;
    const { url, title, start_index: start, end_index: end } = isObject(nested) ? nested : annotation;
    if (type !== "url_citation" || typeof url !== "string") return [];
    return [{ type, url, title: title ?? "", start_index: start ?? 0, end_index: end ?? 0 }];
  });
}

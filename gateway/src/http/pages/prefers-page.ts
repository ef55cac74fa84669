import { pathOf } from "../request-target.ts";

/** Paths for programs, which read JSON only; a person who opens one sees the same JSON. */
const OF_PROGRAMS = /^\/(?:v1|functions|openapi\.json|healthz|readyz|metrics|console\/api)(?:\/|$)/;

/** True if a person is looking with a browser: the client prefers HTML to JSON, on a path meant for people. */
export function prefersPage(request: Request): boolean {
  const isLook = request.method === "GET" || request.method === "HEAD";
  return isLook && prefersHtml(request.headers.get("accept")) && !OF_PROGRAMS.test(pathOf(request));
}

/** `text/html` must be named explicitly: a client that accepts anything did not ask for a page. */
function prefersHtml(accept: string | null): boolean {
  const weights = new Map((accept ?? "").split(",").map(weightOf));
  const html = weights.get("text/html") ?? 0;
  return html > (weights.get("application/json") ?? 0) && html >= (weights.get("*/*") ?? 0);
}

/** One entry of an `Accept` header or its like; a weight of 0 is a refusal. */
export function weightOf(range: string): readonly [string, number] {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [type, weight === undefined ? 1 : Number(weight.slice(2))];
}

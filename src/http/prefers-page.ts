import { pathOf } from "./request-target.ts";

/** Programs ask here, and read JSON alone; a person who looks sees what they do. */
const OF_PROGRAMS = /^\/(?:v1|functions|openapi\.json|healthz|readyz|metrics|console\/api)(?:\/|$)/;

/** Whether a person looks, with a browser: who asks for HTML before JSON, where people have something to look for. */
export function prefersPage(request: Request): boolean {
  const isLook = request.method === "GET" || request.method === "HEAD";
  return isLook && prefersHtml(request.headers.get("accept")) && !OF_PROGRAMS.test(pathOf(request));
}

/** Named with a weight of its own: whoever takes anything did not ask for a page. */
function prefersHtml(accept: string | null): boolean {
  const weights = new Map((accept ?? "").split(",").map(weightOf));
  const html = weights.get("text/html") ?? 0;
  return html > (weights.get("application/json") ?? 0) && html >= (weights.get("*/*") ?? 0);
}

function weightOf(range: string): readonly [string, number] {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [type, weight === undefined ? 1 : Number(weight.slice(2))];
}

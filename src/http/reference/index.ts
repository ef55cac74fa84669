/**
 * The service described to people and tools: the OpenAPI document, the interactive reference, the
 * front page and the one where there is nothing. Owns words and pages; refuses to know organizations, keys and anything that a request
 * could change. Invariants: made from the route table and the sandbox's list of directives alone, so nothing
 * that is served is missing and nothing else is listed; every byte comes from our own files, and no page asks
 * another host for anything.
 */
export { missingPage } from "./missing-page.ts";
export { referenceRoutes } from "./routes.ts";

/**
 * Describes the service to people and tools: the OpenAPI document, the interactive reference, the front page and the
 * 404 page. Owns texts and pages; refuses to know organizations, keys and anything that a request could change.
 * Invariants: made only from the route table and the sandbox's list of directives, so everything that is served is
 * listed and nothing else; every byte comes from our own files, and no page requests anything from another host.
 */
export { missingPage } from "./missing-page.ts";
export { referenceRoutes } from "./routes.ts";

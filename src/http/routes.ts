import type { HttpDeps } from "./context.ts";
import { chatRoute } from "./native/chat.ts";
import { modelsRoute } from "./native/models.ts";
import { usageRoute } from "./native/usage.ts";
import { getModelRoute, listModelsRoute } from "./openai/models.ts";
import type { ApiRoute } from "./route.ts";

/** Every endpoint of both interfaces. The app, the document and the security suite are made from this table. */
export function createRoutes(deps: HttpDeps): readonly ApiRoute[] {
  return [chatRoute(deps), modelsRoute(deps), usageRoute(deps), listModelsRoute(deps), getModelRoute(deps)];
}

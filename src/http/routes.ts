import type { HttpDeps } from "./context.ts";
import type { EventStreams } from "./event-stream.ts";
import { chatRoute } from "./native/chat.ts";
import { modelsRoute } from "./native/models.ts";
import { usageRoute } from "./native/usage.ts";
import { chatCompletionsRoute } from "./openai/chat-completions.ts";
import { getModelRoute, listModelsRoute } from "./openai/models.ts";
import { responsesRoute } from "./openai/responses.ts";
import type { ApiRoute } from "./route.ts";

/** Every endpoint of both interfaces. The app, the document and the security suite are made from this table. */
export function createRoutes(deps: HttpDeps, eventStreams: EventStreams): readonly ApiRoute[] {
  return [
    chatRoute({ ...deps, eventStreams }),
    modelsRoute(deps),
    usageRoute(deps),
    chatCompletionsRoute({ ...deps, eventStreams }),
    responsesRoute({ ...deps, eventStreams }),
    listModelsRoute(deps),
    getModelRoute(deps),
  ];
}

import type { HttpDeps } from "./context.ts";
import { createEventStreams } from "./event-stream.ts";
import { chatRoute } from "./native/chat.ts";
import { modelsRoute } from "./native/models.ts";
import { usageRoute } from "./native/usage.ts";
import { getModelRoute, listModelsRoute } from "./openai/models.ts";
import type { ApiRoute } from "./route.ts";

/** Every endpoint of both interfaces. The app, the document and the security suite are made from this table. */
export function createRoutes(deps: HttpDeps): readonly ApiRoute[] {
  const eventStreams = createEventStreams(deps.settings);
  deps.metrics.gauge("bursar_streams_open", "Event streams that are open now.").read(() => eventStreams.open);
  return [
    chatRoute({ ...deps, eventStreams }),
    modelsRoute(deps),
    usageRoute(deps),
    listModelsRoute(deps),
    getModelRoute(deps),
  ];
}

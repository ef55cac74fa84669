import type { HttpDeps } from "./context.ts";
import { deleteAssetRoute, listAssetsRoute } from "./native/assets.ts";
import { audioRoute } from "./native/audio.ts";
import { chatRoute } from "./native/chat.ts";
import { imagesRoute } from "./native/images.ts";
import { modelsRoute } from "./native/models.ts";
import { usageRoute } from "./native/usage.ts";
import { videoRoute } from "./native/video.ts";
import { videoPollRoute } from "./native/video-poll.ts";
import { chatCompletionsRoute } from "./openai/chat/chat-completions.ts";
import { imageGenerationsRoute } from "./openai/images/images.ts";
import { getModelRoute, listModelsRoute } from "./openai/models.ts";
import { responsesRoute } from "./openai/responses/responses.ts";
import type { ApiRoute } from "./route.ts";
import type { Streaming } from "./stream-failure.ts";

/** Every endpoint of both interfaces. The app, the OpenAPI document and the security tests are made from this table. */
export function createRoutes(deps: HttpDeps, streaming: Streaming): readonly ApiRoute[] {
  return [
    chatRoute({ ...deps, ...streaming }),
    imagesRoute(deps),
    audioRoute(deps),
    videoRoute(deps),
    videoPollRoute(deps),
    listAssetsRoute(deps),
    deleteAssetRoute(deps),
    modelsRoute(deps),
    usageRoute(deps),
    chatCompletionsRoute({ ...deps, ...streaming }),
    responsesRoute({ ...deps, ...streaming }),
    imageGenerationsRoute(deps),
    listModelsRoute(deps),
    getModelRoute(deps),
  ];
}
